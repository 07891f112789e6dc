throw new Error('broken at the start');
