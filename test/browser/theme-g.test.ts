import { themeG } from '../theme-g.ts';

themeG();
