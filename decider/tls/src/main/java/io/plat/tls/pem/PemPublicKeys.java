package io.plat.tls.pem;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Reader of public keys, RSA and elliptic curve: {@code PUBLIC KEY}, {@code RSA PUBLIC KEY}, those of certificates, and the public
 * halves of private keys, as one file of a pair may serve both sides.
 */
public final class PemPublicKeys {
    private static final String ACCEPTED = "expected 'PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE' or a private key";

    private PemPublicKeys() {}

    /**
     * Returns every key of the source, in order.
     *
     * @return at least one
     * @throws PemException if there is none, or one is malformed, encrypted or of another algorithm
     */
    public static List<PublicKey> read(PemSource source) throws PemException {
        List<PemScanner.PemBlock> blocks = PemScanner.scan(source);
        List<PublicKey> keys = new ArrayList<>();
        for (PemScanner.PemBlock block : blocks) {
            switch (block.label()) {
                case "PUBLIC KEY" -> keys.add(key(source.name(), block, block.content()));
                case "RSA PUBLIC KEY" -> keys.add(key(source.name(), block, fromPkcs1(source.name(), block)));
                case "CERTIFICATE", "X509 CERTIFICATE" ->
                    keys.add(PemCertificates.certificate(source.name(), block).getPublicKey());
                case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY" -> {
                    try {
                        keys.add(publicHalf(PemKeys.key(source.name(), block)));
                    } catch (IllegalArgumentException e) {
                        throw new PemException(source.name(), block.line(), String.valueOf(e.getMessage()));
                    }
                }
                // Such as EC PARAMETERS, which precede keys of OpenSSL.
                default -> {}
            }
        }
        if (keys.isEmpty()) {
            throw new PemException(source.name(), ACCEPTED + ", found " + PemScanner.describe(blocks));
        }
        return List.copyOf(keys);
    }

    private static byte[] fromPkcs1(String source, PemScanner.PemBlock block) throws PemException {
        try {
            AlgorithmIdentifier rsa = new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
            return new SubjectPublicKeyInfo(rsa, ASN1Primitive.fromByteArray(block.content())).getEncoded();
        } catch (IOException | IllegalArgumentException _) {
            throw malformed(source, block);
        }
    }

    private static PublicKey key(String source, PemScanner.PemBlock block, byte[] encoded) throws PemException {
        try {
            ASN1ObjectIdentifier id =
                    SubjectPublicKeyInfo.getInstance(encoded).getAlgorithm().getAlgorithm();
            String algorithm;
            if (id.equals(PKCSObjectIdentifiers.rsaEncryption)) {
                algorithm = "RSA";
            } else if (id.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
                algorithm = "EC";
            } else {
                throw new PemException(
                        source, block.line(), "the algorithm of the public key is " + id + ", expected RSA or EC");
            }
            return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException | IllegalStateException _) {
            throw malformed(source, block);
        }
    }

    private static PemException malformed(String source, PemScanner.PemBlock block) {
        return new PemException(
                source,
                block.line(),
                "the content of this '" + block.label() + "' is malformed or of an unknown curve");
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
            throw new IllegalArgumentException("the public key can't be derived from the private key", e);
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
