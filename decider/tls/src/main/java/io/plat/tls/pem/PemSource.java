package io.plat.tls.pem;

import io.plat.tls.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Source of PEM text: a file, which is read each time, or inline content, as in a client configuration file. */
public final class PemSource {
    /** Maximum size of a source: several times the CA bundle of an operating system. */
    public static final int MAX_BYTES = 1 << 20;

    private final String name;
    private final @Nullable Path path;
    private final byte[] content;

    private PemSource(String name, @Nullable Path path, byte[] content) {
        this.name = name;
        this.path = path;
        this.content = content;
    }

    /** Returns a file, which messages name as given here. */
    public static PemSource file(Path path) {
        return new PemSource(path.toString(), path, new byte[0]);
    }

    /**
     * Returns inline content.
     *
     * @param name its name in messages, for example {@code config:12: client-certificate-data}
     * @param content PEM text, already decoded from base64 if it was encoded
     */
    public static PemSource inline(String name, byte[] content) {
        return new PemSource(name, null, content.clone());
    }

    /** Returns the source's name in messages. */
    public String name() {
        return name;
    }

    /** Returns the file; empty for inline content. */
    public Optional<Path> path() {
        return Optional.ofNullable(path);
    }

    /** Returns the files of sources, without null and inline ones, which never change. */
    public static List<Path> paths(@Nullable PemSource... sources) {
        return Stream.of(sources)
                .filter(Objects::nonNull)
                .flatMap(source -> source.path().stream())
                .distinct()
                .toList();
    }

    /** Returns the reason why the source cannot be read; empty if it can. */
    public Optional<String> problem() {
        try {
            read();
            return Optional.empty();
        } catch (PemException unreadable) {
            return Optional.of(String.valueOf(unreadable.getMessage()));
        }
    }

    /**
     * Reads the whole current content.
     *
     * @throws PemException if the file is missing, unreadable, empty or larger than {@link #MAX_BYTES}
     */
    byte[] read() throws PemException {
        byte[] bytes = path == null ? content : readFile(path);
        if (bytes.length > MAX_BYTES) {
            throw new PemException(name, "is larger than " + MAX_BYTES + " bytes, expected PEM text");
        }
        if (bytes.length == 0) {
            throw new PemException(name, "is empty, expected PEM text");
        }
        return bytes;
    }

    private byte[] readFile(Path file) throws PemException {
        if (Files.isDirectory(file)) {
            throw new PemException(name, "is a directory, expected a file of PEM text");
        }
        try (InputStream in = Channels.newInputStream(RegularFile.open(file))) {
            return in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException _) {
            throw new PemException(name, "no such file");
        } catch (AccessDeniedException _) {
            throw new PemException(name, "permission denied");
        } catch (IOException e) {
            throw new PemException(name, "cannot be read: " + e.getMessage());
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
