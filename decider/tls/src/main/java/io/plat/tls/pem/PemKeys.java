package io.plat.tls.pem;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Reader of RSA and elliptic curve keys, and of private keys on Edwards curves.
 *
 * <p>Private keys are PKCS#8 ({@code PRIVATE KEY}), PKCS#1 ({@code RSA PRIVATE KEY}) or SEC1 ({@code EC PRIVATE KEY}). Encrypted keys are rejected, as a
 * server cannot prompt for the pass phrase.
 */
public final class PemKeys {
    private static final String PRIVATE = "expected 'PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY'";
    private static final String PUBLIC = "expected 'PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE' or a private key";
    private static final AlgorithmIdentifier RSA =
            new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);

    /** Names of algorithms in the JDK. */
    private static final Map<ASN1ObjectIdentifier, String> ALGORITHMS = Map.of(
            PKCSObjectIdentifiers.rsaEncryption, "RSA",
            X9ObjectIdentifiers.id_ecPublicKey, "EC",
            EdECObjectIdentifiers.id_Ed25519, "EdDSA",
            EdECObjectIdentifiers.id_Ed448, "EdDSA");

    private PemKeys() {}

    /** Conversion of the content of a block to a key. */
    @FunctionalInterface
    private interface Conversion<T> {
        T convert() throws IOException, GeneralSecurityException, PemException;
    }

    /**
     * Returns the first private key of the source.
     *
     * @throws PemException if there is none, or it is encrypted, malformed or of another algorithm
     */
    public static PrivateKey read(PemSource source) throws PemException {
        List<PemScanner.PemBlock> blocks = PemScanner.scan(source);
        for (PemScanner.PemBlock block : blocks) {
            if (block.label().endsWith("PRIVATE KEY")) {
                return privateKey(source.name(), block);
            }
        }
        throw new PemException(source.name(), PRIVATE + ", found " + PemScanner.describe(blocks));
    }

    /**
     * Returns every public key of the source, in order: {@code PUBLIC KEY}, {@code RSA PUBLIC KEY}, those of certificates, and the public halves of
     * private keys, as one file of a pair may serve both sides.
     *
     * @return at least one, RSA or elliptic curve
     * @throws PemException if there is none, or one is malformed, encrypted or of another algorithm
     */
    public static List<PublicKey> readPublic(PemSource source) throws PemException {
        List<PemScanner.PemBlock> blocks = PemScanner.scan(source);
        List<PublicKey> keys = new ArrayList<>();
        for (PemScanner.PemBlock block : blocks) {
            switch (block.label()) {
                case "PUBLIC KEY", "RSA PUBLIC KEY" -> keys.add(publicKey(source.name(), block));
                case "CERTIFICATE", "X509 CERTIFICATE" ->
                    keys.add(PemCertificates.certificate(source.name(), block).getPublicKey());
                case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY" -> {
                    try {
                        keys.add(publicHalf(privateKey(source.name(), block)));
                    } catch (IllegalArgumentException e) {
                        throw new PemException(source.name(), block.line(), String.valueOf(e.getMessage()));
                    }
                }
                // Such as EC PARAMETERS, which precede keys of OpenSSL.
                default -> {}
            }
        }
        if (keys.isEmpty()) {
            throw new PemException(source.name(), PUBLIC + ", found " + PemScanner.describe(blocks));
        }
        return List.copyOf(keys);
    }

    private static <T> T converted(String source, PemScanner.PemBlock block, Conversion<T> conversion)
            throws PemException {
        try {
            return conversion.convert();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException | IllegalStateException _) {
            // The cause may quote parts of the key; the reader needs the location.
            throw new PemException(
                    source,
                    block.line(),
                    "the content of this '" + block.label() + "' is malformed or of an unknown curve");
        }
    }

    private static PrivateKey privateKey(String source, PemScanner.PemBlock block) throws PemException {
        if (block.encrypted() || block.label().equals("ENCRYPTED PRIVATE KEY")) {
            throw new PemException(
                    source, block.line(), "the private key is encrypted, expected one without a pass phrase");
        }
        return converted(source, block, () -> {
            PrivateKeyInfo info = switch (block.label()) {
                case "PRIVATE KEY" -> PrivateKeyInfo.getInstance(block.content());
                case "RSA PRIVATE KEY" ->
                    new PrivateKeyInfo(RSA, RSAPrivateKey.getInstance(ASN1Primitive.fromByteArray(block.content())));
                case "EC PRIVATE KEY" -> fromSec1(source, block);
                default -> throw new PemException(source, block.line(), PRIVATE + ", found '" + block.label() + "'");
            };
            ASN1ObjectIdentifier id = info.getPrivateKeyAlgorithm().getAlgorithm();
            String algorithm = ALGORITHMS.get(id);
            if (algorithm == null) {
                throw new PemException(
                        source,
                        block.line(),
                        "the algorithm of the private key is " + id + ", expected RSA, EC or Ed25519");
            }
            KeyFactory keys = KeyFactory.getInstance(algorithm);
            PrivateKey key = keys.generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
            // Without the optional parts of its file (the curve, the public key), so that equal keys are equal objects.
            return key instanceof ECPrivateKey onCurve
                    ? keys.generatePrivate(new ECPrivateKeySpec(onCurve.getS(), onCurve.getParams()))
                    : key;
        });
    }

    private static PrivateKeyInfo fromSec1(String source, PemScanner.PemBlock block) throws IOException, PemException {
        var key = org.bouncycastle.asn1.sec.ECPrivateKey.getInstance(ASN1Primitive.fromByteArray(block.content()));
        if (key.getParametersObject() == null) {
            throw new PemException(source, block.line(), "the 'EC PRIVATE KEY' does not name its curve");
        }
        return new PrivateKeyInfo(
                new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()), key);
    }

    private static PublicKey publicKey(String source, PemScanner.PemBlock block) throws PemException {
        return converted(source, block, () -> {
            byte[] encoded = block.label().equals("PUBLIC KEY")
                    ? block.content()
                    : new SubjectPublicKeyInfo(RSA, ASN1Primitive.fromByteArray(block.content())).getEncoded();
            ASN1ObjectIdentifier id =
                    SubjectPublicKeyInfo.getInstance(encoded).getAlgorithm().getAlgorithm();
            String algorithm = ALGORITHMS.getOrDefault(id, "");
            if (!algorithm.equals("RSA") && !algorithm.equals("EC")) {
                throw new PemException(
                        source, block.line(), "the algorithm of the public key is " + id + ", expected RSA or EC");
            }
            return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
        });
    }

    /**
     * Returns the public key of a private key.
     *
     * @throws IllegalArgumentException for a key that is neither RSA nor on a named curve
     */
    public static PublicKey publicHalf(PrivateKey key) {
        try {
            return switch (key) {
                case RSAPrivateCrtKey rsa ->
                    KeyFactory.getInstance("RSA")
                            .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
                case ECPrivateKey curve ->
                    KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(onCurve(curve)));
                default ->
                    throw new IllegalArgumentException(
                            "the algorithm of the private key is " + key.getAlgorithm() + ", expected RSA or EC");
            };
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the public key cannot be derived from the private key", e);
        }
    }

    private static byte[] onCurve(ECPrivateKey key) throws IOException {
        AlgorithmIdentifier algorithm =
                PrivateKeyInfo.getInstance(key.getEncoded()).getPrivateKeyAlgorithm();
        ASN1ObjectIdentifier curve = ASN1ObjectIdentifier.getInstance(algorithm.getParameters());
        return new SubjectPublicKeyInfo(
                        algorithm, PemText.publicHalf(curve, key.getS()).getBytes())
                .getEncoded();
    }
}
