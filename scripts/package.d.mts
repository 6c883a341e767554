export function copyForPackage(): string;
