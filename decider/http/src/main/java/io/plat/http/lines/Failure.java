package io.plat.http.lines;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** What went wrong with a file, as one line for the operator. */
final class Failure {
    private Failure() {}

    static String of(IOException failed) {
        return switch (failed) {
            case NoSuchFileException missing -> quoted(missing) + "no such file or folder";
            case AccessDeniedException denied -> quoted(denied) + "permission denied";
            case FileSystemException other ->
                quoted(other) + Objects.requireNonNullElse(other.getReason(), "can't be used");
            default -> String.valueOf(failed.getMessage());
        };
    }

    private static String quoted(FileSystemException failed) {
        return "\"" + failed.getFile() + "\": ";
    }
}
