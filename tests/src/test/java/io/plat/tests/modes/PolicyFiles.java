package io.plat.tests.modes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The files that servers take their policy from, changed by renaming a whole one into place. */
record PolicyFiles(Path lines, Path manifests) {
    static PolicyFiles in(Path folder) throws IOException {
        PolicyFiles files = new PolicyFiles(folder.resolve("policy.jsonl"), folder.resolve("roles.yaml"));
        Files.writeString(files.lines, "");
        Files.writeString(files.manifests, "");
        return files;
    }

    void lines(String text) throws IOException {
        replace(lines, text);
    }

    void manifests(String text) throws IOException {
        replace(manifests, text);
    }

    private static void replace(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
