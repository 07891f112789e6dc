export declare const chromiumArgs: string[];
export declare function chromiumLaunch(): { executablePath?: string; args: string[] } | undefined;
