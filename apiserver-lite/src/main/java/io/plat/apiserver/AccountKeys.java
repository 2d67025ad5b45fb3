package io.plat.apiserver;

import io.plat.apiserver.authentication.account.StoredSigningKey;
import io.plat.apiserver.authentication.jwt.KeySet;
import io.plat.apiserver.authentication.jwt.SigningKey;
import io.plat.apiserver.authentication.jwt.VerificationKey;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.http.process.StartException;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemPublicKeys;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys for service account tokens.
 *
 * @param all accepted verification keys, including that of the signing key
 */
record AccountKeys(SigningKey signing, KeySet all) {
    /** Reads the keys that the flags name, or the server's own key from the store; null if a problem was reported. */
    static @Nullable AccountKeys open(
            AccountFlags.Settings settings, @Nullable ObjectStore store, StartException.Collector problems) {
        @Nullable
        SigningKey signing = settings.signingKey().isPresent()
                ? signing(settings.signingKey().get(), problems)
                : own(store, problems);
        List<VerificationKey> all = new ArrayList<>();
        boolean complete = true;
        for (Path file : settings.keys()) {
            complete &= read(file, all, problems);
        }
        if (signing == null || !complete) {
            return null;
        }
        all.addFirst(signing.verification());
        return new AccountKeys(signing, new KeySet(all));
    }

    private static @Nullable SigningKey own(@Nullable ObjectStore store, StartException.Collector problems) {
        if (store == null) {
            return null;
        }
        try {
            return StoredSigningKey.open(store);
        } catch (StorageException e) {
            problems.add("the key of service accounts: " + e.getMessage());
            return null;
        }
    }

    private static @Nullable SigningKey signing(Path file, StartException.Collector problems) {
        try {
            return SigningKey.of(PemKeys.read(PemSource.file(file)));
        } catch (PemException e) {
            problems.add("--service-account-signing-key-file", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            problems.add("--service-account-signing-key-file", file + ": " + e.getMessage());
        }
        return null;
    }

    private static boolean read(Path file, List<VerificationKey> into, StartException.Collector problems) {
        try {
            for (PublicKey key : PemPublicKeys.read(PemSource.file(file))) {
                into.add(VerificationKey.of(key));
            }
            return true;
        } catch (PemException e) {
            problems.add("--service-account-key-file", String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            problems.add("--service-account-key-file", file + ": " + e.getMessage());
        }
        return false;
    }
}
