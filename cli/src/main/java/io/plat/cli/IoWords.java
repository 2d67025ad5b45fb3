package io.plat.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/** Why a file could not be read or written, in words: the JDK's messages are often the bare path. */
public final class IoWords {
    private IoWords() {}

    /** One phrase, without the path. */
    public static String of(IOException failure) {
        return switch (failure) {
            case NoSuchFileException e -> "no such file";
            case AccessDeniedException e -> "permission denied";
            default ->
                Objects.requireNonNullElse(
                        failure.getMessage(), failure.getClass().getSimpleName());
        };
    }
}
