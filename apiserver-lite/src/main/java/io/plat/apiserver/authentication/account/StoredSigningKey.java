package io.plat.apiserver.authentication.account;

import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;

/**
 * Signing key of a server without a configured one. It is generated once and stored outside the API, so that tokens survive a restart and
 * a restore, and are accepted by all servers of the store.
 */
public final class StoredSigningKey {
    private static final Key KEY = new Key("server-secrets", "", "service-account-key");

    private StoredSigningKey() {}

    /** Returns the key of a store, created if absent. */
    public static SigningKey open(ObjectStore store) throws StorageException {
        byte[] text =
                store.getOrCreate(KEY, () -> PemText.privateKey(generate()).getBytes(StandardCharsets.US_ASCII));
        try {
            return SigningKey.of(PemKeys.read(PemSource.inline("the server's own key", text)));
        } catch (PemException e) {
            throw new IllegalStateException("a key that was written can be read", e);
        }
    }

    private static PrivateKey generate() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair().getPrivate();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK supports such keys", e);
        }
    }
}
