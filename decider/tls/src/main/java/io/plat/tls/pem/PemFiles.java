package io.plat.tls.pem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * Writer of a certificate and its key as a pair of files.
 *
 * <p>A key file is created readable by its owner only ({@code 0600}); others can never open it. Files are only overwritten on request, and then
 * atomically.
 */
public final class PemFiles {
    private static final Set<PosixFilePermission> KEY_MODE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> CERTIFICATE_MODE = PosixFilePermissions.fromString("rw-r--r--");

    /** Handling of existing files. */
    public enum Existing {
        /** Refuse, and write neither file. */
        KEEP,
        /** Replace both files. */
        REPLACE
    }

    private PemFiles() {}

    /**
     * Writes both files, the key first.
     *
     * @param certificateFile receives the chain, leaf first
     * @param keyFile receives the key, readable by its owner only
     * @throws FileAlreadyExistsException if one of them exists and must not be overwritten; nothing is written then
     * @throws IOException if a file cannot be written
     */
    public static void writePair(
            Path certificateFile, List<X509Certificate> chain, Path keyFile, PrivateKey key, Existing existing)
            throws IOException {
        if (existing == Existing.KEEP) {
            refuseExisting(keyFile);
            refuseExisting(certificateFile);
        }
        write(keyFile, PemText.privateKey(key), KEY_MODE, existing);
        write(certificateFile, PemText.certificates(chain), CERTIFICATE_MODE, existing);
    }

    private static void refuseExisting(Path file) throws FileAlreadyExistsException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    private static void write(Path file, String text, Set<PosixFilePermission> mode, Existing existing)
            throws IOException {
        switch (existing) {
            case KEEP -> create(file, text, mode);
            case REPLACE -> {
                Path fresh = file.resolveSibling("." + file.getFileName() + "." + suffix());
                try {
                    create(fresh, text, mode);
                    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                } finally {
                    Files.deleteIfExists(fresh);
                }
            }
        }
    }

    private static void create(Path file, String text, Set<PosixFilePermission> mode) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel out = FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(mode))) {
            fill(out, PemText.bytes(text), file);
        }
    }

    private static void fill(FileChannel out, byte[] content, Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        } catch (IOException e) {
            // A partial file would block the next attempt.
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static String suffix() {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
