package io.plat.tls.pem;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Reader of a private key: PKCS#8 ({@code PRIVATE KEY}), PKCS#1 ({@code RSA PRIVATE KEY}) or SEC1 ({@code EC PRIVATE KEY}).
 *
 * <p>RSA, elliptic curve and Edwards curve keys. Encrypted keys are rejected, as a server can't prompt for the pass phrase.
 */
public final class PemKeys {
    private static final String ACCEPTED = "expected 'PRIVATE KEY', 'RSA PRIVATE KEY' or 'EC PRIVATE KEY'";

    private PemKeys() {}

    /**
     * Returns the first private key of the source.
     *
     * @throws PemException if there is none, or it is encrypted, malformed or of another algorithm
     */
    public static PrivateKey read(PemSource source) throws PemException {
        List<PemScanner.PemBlock> blocks = PemScanner.scan(source);
        for (PemScanner.PemBlock block : blocks) {
            if (block.label().endsWith("PRIVATE KEY")) {
                return key(source.name(), block);
            }
        }
        throw new PemException(source.name(), ACCEPTED + ", found " + PemScanner.describe(blocks));
    }

    static PrivateKey key(String source, PemScanner.PemBlock block) throws PemException {
        if (block.encrypted() || block.label().equals("ENCRYPTED PRIVATE KEY")) {
            throw new PemException(
                    source, block.line(), "the private key is encrypted, expected one without a pass phrase");
        }
        try {
            PrivateKeyInfo info = switch (block.label()) {
                case "PRIVATE KEY" -> PrivateKeyInfo.getInstance(block.content());
                case "RSA PRIVATE KEY" -> fromPkcs1(block.content());
                case "EC PRIVATE KEY" -> fromSec1(source, block);
                default -> throw new PemException(source, block.line(), ACCEPTED + ", found '" + block.label() + "'");
            };
            KeyFactory keys = KeyFactory.getInstance(algorithm(source, block, info));
            return plain(keys, keys.generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded())));
        } catch (IOException | GeneralSecurityException | IllegalArgumentException | IllegalStateException _) {
            // The cause may quote parts of the key; the reader needs the location.
            throw new PemException(
                    source,
                    block.line(),
                    "the content of this '" + block.label() + "' is malformed or of an unknown curve");
        }
    }

    private static PrivateKeyInfo fromPkcs1(byte[] content) throws IOException {
        AlgorithmIdentifier rsa = new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
        return new PrivateKeyInfo(rsa, RSAPrivateKey.getInstance(ASN1Primitive.fromByteArray(content)));
    }

    private static PrivateKeyInfo fromSec1(String source, PemScanner.PemBlock block) throws IOException, PemException {
        ECPrivateKey key = ECPrivateKey.getInstance(ASN1Primitive.fromByteArray(block.content()));
        if (key.getParametersObject() == null) {
            throw new PemException(source, block.line(), "the 'EC PRIVATE KEY' does not name its curve");
        }
        return new PrivateKeyInfo(
                new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, key.getParametersObject()), key);
    }

    /** Returns an EC key without the optional parts of its file (the curve, the public key), so that equal keys are equal objects. */
    private static PrivateKey plain(KeyFactory keys, PrivateKey read) throws GeneralSecurityException {
        return read instanceof java.security.interfaces.ECPrivateKey onCurve
                ? keys.generatePrivate(new ECPrivateKeySpec(onCurve.getS(), onCurve.getParams()))
                : read;
    }

    private static String algorithm(String source, PemScanner.PemBlock block, PrivateKeyInfo info) throws PemException {
        ASN1ObjectIdentifier id = info.getPrivateKeyAlgorithm().getAlgorithm();
        if (id.equals(PKCSObjectIdentifiers.rsaEncryption)) {
            return "RSA";
        }
        if (id.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
            return "EC";
        }
        if (id.equals(EdECObjectIdentifiers.id_Ed25519) || id.equals(EdECObjectIdentifiers.id_Ed448)) {
            return "EdDSA";
        }
        throw new PemException(
                source, block.line(), "the algorithm of the private key is " + id + ", expected RSA, EC or Ed25519");
    }
}
