package io.plat.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS context of PEM files, which are checked for changes at most once a second. If changed files are invalid, the last context stays in use.
 * Thread-safe.
 */
final class CertificateFiles implements Supplier<SSLContext> {
    private static final System.Logger LOG = System.getLogger("io.plat.client");
    private static final long CHECK_EVERY_NANOS = 1_000_000_000;
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]*)-----END");
    private static final char[] NO_PASSWORD = {};

    private static final byte[] RSA = {
        0x30, 0x0d, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
    };
    private static final byte[] CURVE = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private final Path authorities;
    private final Path certificate;
    private final Path key;
    private volatile SSLContext context;
    private volatile long checked = System.nanoTime();
    private final ReentrantLock refreshing = new ReentrantLock();
    private List<Object> stamps;
    private boolean reported;

    /**
     * Reads the files.
     *
     * @throws IOException with the file and the problem if they cannot be used
     */
    CertificateFiles(Path authorities, Path certificate, Path key) throws IOException {
        this.authorities = authorities;
        this.certificate = certificate;
        this.key = key;
        this.stamps = stamps();
        this.context = read();
    }

    @Override
    public SSLContext get() {
        // One caller reads the files; others use the last context.
        if (System.nanoTime() - checked > CHECK_EVERY_NANOS && refreshing.tryLock()) {
            try {
                refresh();
            } finally {
                refreshing.unlock();
            }
        }
        return context;
    }

    private void refresh() {
        try {
            List<Object> now = stamps();
            if (!now.equals(stamps)) {
                context = read();
                stamps = now;
                LOG.log(System.Logger.Level.INFO, "client certificate reloaded: file=" + certificate);
            }
            reported = false;
        } catch (IOException e) {
            // Perhaps only some files were replaced so far: they are read again until they match.
            if (!reported) {
                LOG.log(System.Logger.Level.WARNING, "the last client certificate stays in use: " + e.getMessage());
            }
            reported = true;
        }
        checked = System.nanoTime();
    }

    private List<Object> stamps() throws IOException {
        Object[] stamps = new Object[6];
        int i = 0;
        for (Path file : List.of(authorities, certificate, key)) {
            stamps[i++] = Files.getLastModifiedTime(file);
            // The file key detects a replaced file with the same time.
            stamps[i++] = String.valueOf(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        }
        return List.of(stamps);
    }

    private SSLContext read() throws IOException {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, NO_PASSWORD);
            int count = 0;
            for (Certificate authority : certificates(authorities)) {
                trusted.setCertificateEntry("ca-" + count++, authority);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, NO_PASSWORD);
            Certificate[] chain = certificates(certificate).toArray(new Certificate[0]);
            PrivateKey secret = privateKey(chain[0].getPublicKey().getAlgorithm());
            requirePair(secret, chain[0].getPublicKey());
            own.setKeyEntry("client", secret, NO_PASSWORD, chain);
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(own, NO_PASSWORD);
            SSLContext read = SSLContext.getInstance("TLS");
            read.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return read;
        } catch (GeneralSecurityException e) {
            throw new IOException(key + ": " + e.getMessage(), e);
        }
    }

    private static Collection<? extends Certificate> certificates(Path file) throws IOException {
        try {
            Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
            if (!found.isEmpty()) {
                return found;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": not a certificate in PEM", e);
        }
        throw new IOException(file + ": no certificate");
    }

    private PrivateKey privateKey(String algorithm) throws IOException, GeneralSecurityException {
        Matcher block = BLOCK.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new IOException(key + ": expected 'PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY'");
        }
        try {
            byte[] content = Base64.getMimeDecoder().decode(block.group(2));
            byte[] pkcs8 = switch (block.group(1)) {
                case "RSA PRIVATE KEY" -> pkcs8(RSA, content);
                case "EC PRIVATE KEY" -> pkcs8(der(0x30, concat(CURVE, curve(content))), content);
                default -> content;
            };
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (InvalidKeySpecException | IllegalArgumentException | IndexOutOfBoundsException e) {
            // The cause could quote the key.
            throw new IOException(key + ": not a private key of the certificate's kind " + algorithm);
        }
    }

    /** Checks that the keys match, by signing and verifying, as a mismatch would otherwise only fail the handshake. */
    private void requirePair(PrivateKey secret, PublicKey shown) throws IOException, GeneralSecurityException {
        String algorithm = shown.getAlgorithm();
        if (algorithm.equals("RSASSA-PSS")) {
            return; // Its parameters are optional and arbitrary.
        }
        Signature signature = Signature.getInstance(
                switch (algorithm) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> algorithm;
                });
        signature.initSign(secret);
        signature.update(RSA);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(RSA);
        if (!signature.verify(signed)) {
            throw new IOException(key + ": not the key of " + certificate);
        }
    }

    /** Wraps a key in a PrivateKeyInfo (RFC 5208). */
    private static byte[] pkcs8(byte[] algorithm, byte[] content) {
        return der(0x30, concat(new byte[] {2, 1, 0}, concat(algorithm, der(4, content))));
    }

    /** Returns the name of the curve of an ECPrivateKey (RFC 5915): its first optional field, after the version and the secret. */
    private static byte[] curve(byte[] content) {
        int secret = (content[1] < 0 ? 2 + (content[1] & 0x7f) : 2) + 3;
        int field = secret + 2 + content[secret + 1];
        if (content[secret + 1] < 0 || content[field] != (byte) 0xa0 || content[field + 1] < 0) {
            throw new IllegalArgumentException("the curve has no name");
        }
        return Arrays.copyOfRange(content, field + 2, field + 2 + content[field + 1]);
    }

    private static byte[] der(int tag, byte[] content) {
        int length = content.length;
        // The shortest form, which the standard and older JDKs require.
        byte[] head = length < 0x80
                ? new byte[] {(byte) tag, (byte) length}
                : length < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return concat(head, content);
    }

    private static byte[] concat(byte[] one, byte[] other) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(one.length + other.length);
        all.writeBytes(one);
        all.writeBytes(other);
        return all.toByteArray();
    }
}
