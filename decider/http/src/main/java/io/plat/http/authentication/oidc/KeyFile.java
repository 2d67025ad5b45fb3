package io.plat.http.authentication.oidc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.TokenJson;
import io.plat.http.authentication.jwt.VerificationKey;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceReader;
import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keys of an issuer in a file, for servers that cannot reach the issuer. The file is reloaded when it changes; the last good one stays in
 * use.
 */
public record KeyFile(WatchedFiles<KeySet> keys) implements IssuerKeys {
    private static final int MAX_KEYS = 100;

    public static KeyFile open(Path file, FileWatch.Settings settings) throws UnusableKeysException {
        return new KeyFile(new WatchedFiles<>("oidc-keys", List.of(file), settings, _ -> read(file), _ -> {}));
    }

    private static KeySet read(Path file) throws UnusableKeysException {
        try {
            return parseKey(SourceReader.readText(file));
        } catch (ProblemsException e) {
            throw new UnusableKeysException(String.valueOf(e.getMessage()));
        } catch (UnusableKeysException e) {
            throw new UnusableKeysException(file + ": " + e.getMessage());
        }
    }

    @Override
    public Optional<KeySet> known() {
        return Optional.of(keys.get());
    }

    @Override
    public void close() {
        keys.close();
    }

    /**
     * Parses the keys that can verify tokens; keys of other kinds and uses are skipped.
     *
     * @throws UnusableKeysException if no key remains, or the text is malformed
     */
    static KeySet parseKey(String text) throws UnusableKeysException {
        JsonNode keys;
        try {
            keys = TokenJson.MAPPER.readTree(text).path("keys");
        } catch (JsonProcessingException e) {
            throw new UnusableKeysException("the key set is not JSON");
        }
        if (!keys.isArray() || keys.size() > MAX_KEYS) {
            throw new UnusableKeysException("expected a key set of at most " + MAX_KEYS + " keys");
        }
        List<VerificationKey> usable = new ArrayList<>();
        keys.forEach(key -> parseKey(key).ifPresent(usable::add));
        if (usable.isEmpty()) {
            throw new UnusableKeysException("the key set contains no RSA or EC key for verifying signatures");
        }
        return new KeySet(usable);
    }

    private static Optional<VerificationKey> parseKey(JsonNode key) {
        try {
            JWK read = JWK.parse(key.toString());
            if (!(read instanceof AsymmetricJWK asymmetric)
                    || (read.getKeyUse() != null && !read.getKeyUse().equals(KeyUse.SIGNATURE))) {
                return Optional.empty();
            }
            String id = read.getKeyID() == null ? "" : read.getKeyID();
            return Optional.of(VerificationKey.of(id, asymmetric.toPublicKey()));
        } catch (JOSEException | ParseException | RuntimeException _) {
            // Unsupported or malformed, for which the library has exceptions of many kinds; the others count.
            return Optional.empty();
        }
    }
}
