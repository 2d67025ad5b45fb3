package io.plat.apiserver.operations;

import io.plat.apiserver.metadata.Identities;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens that continue a list where a chunk of it ended (specification, "Chunked lists"). A token says the state that is
 * shown, when it was made and the last key of the chunk; a code over these and over the collection keeps anybody from making one,
 * or from using one for another resource or namespace.
 *
 * <p>The key of the code is kept in the store, beyond the reach of the API, so that a token outlives a restart and is understood
 * by every server of one store.
 */
final class ContinueTokens {
    /** How long a token is good for by default (specification, "Limits"). */
    static final Duration DEFAULT_TTL = Duration.ofMinutes(5);

    private static final Key SECRET = new Key("server-secrets", "", "continue-tokens");
    private static final int SECRET_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private static final byte VERSION = 1;
    private static final int CODE_BYTES = 16;
    private static final int HEAD_BYTES = 1 + Long.BYTES + Long.BYTES;

    /** The revision of a token that goes on with the state there is then: it shows what changed meanwhile. */
    private static final long ANY_STATE = 0;

    private final SecretKeySpec secret;
    private final Identities identities;
    private final Duration ttl;

    private ContinueTokens(byte[] secret, Identities identities, Duration ttl) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
        this.identities = identities;
        this.ttl = ttl;
    }

    /**
     * What a token says.
     *
     * @param revision the state to show, or 0 for the present one
     * @param issued when it was made, to the second
     * @param after the path of the last key that was shown
     */
    record Token(long revision, Instant issued, String after) {
        /** Whether the rest of the list is in the state of its beginning. */
        boolean consistent() {
            return revision != ANY_STATE;
        }
    }

    /**
     * The tokens of a store.
     *
     * @param ttl how long a token is good for
     * @throws StorageException if the store can't be read or written
     */
    static ContinueTokens open(ObjectStore store, Identities identities, Duration ttl) throws StorageException {
        Optional<Entry> kept = store.latest().get(SECRET);
        if (kept.isEmpty()) {
            byte[] made = new byte[SECRET_BYTES];
            identities.random().nextBytes(made);
            // Refused where another server of the store came first; its secret is the one to use.
            store.commit(Transaction.create(SECRET, made));
            kept = store.latest().get(SECRET);
        }
        byte[] secret = kept.orElseThrow(() -> new IllegalStateException("a secret that was kept is gone"))
                .value();
        return new ContinueTokens(secret, identities, ttl);
    }

    /** The token for what stands behind a key in one state of a collection. */
    String issue(Target collection, long revision, String after) {
        byte[] path = after.getBytes(StandardCharsets.UTF_8);
        ByteBuffer token = ByteBuffer.allocate(HEAD_BYTES + path.length + CODE_BYTES)
                .put(VERSION)
                .putLong(revision)
                .putLong(identities.clock().instant().getEpochSecond())
                .put(path);
        byte[] code = code(collection, token.array(), token.position());
        token.put(code, 0, CODE_BYTES);
        return text(token.array());
    }

    private static String text(byte[] token) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** The token that goes on behind a key with whatever is there then. */
    String issueInconsistent(Target collection, String after) {
        return issue(collection, ANY_STATE, after);
    }

    /**
     * Reads a token.
     *
     * @throws StatusException 400 unless it was issued for this collection
     */
    Token read(Target collection, String text) throws StatusException {
        byte[] token;
        try {
            token = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException notBase64) {
            throw invalid();
        }
        int end = token.length - CODE_BYTES;
        if (end < HEAD_BYTES || token[0] != VERSION || !text(token).equals(text)) {
            throw invalid();
        }
        byte[] expected = code(collection, token, end);
        byte[] actual = Arrays.copyOfRange(token, end, token.length);
        if (!MessageDigest.isEqual(Arrays.copyOf(expected, CODE_BYTES), actual)) {
            throw invalid();
        }
        ByteBuffer content = ByteBuffer.wrap(token, 1, end - 1);
        long revision = content.getLong();
        Instant issued = Instant.ofEpochSecond(content.getLong());
        return new Token(
                revision, issued, StandardCharsets.UTF_8.decode(content).toString());
    }

    /** Whether a token is older than tokens may be. One that promises no state of the list never is. */
    boolean expired(Token token) {
        return token.consistent()
                && token.issued().plus(ttl).isBefore(identities.clock().instant());
    }

    private byte[] code(Target collection, byte[] bytes, int length) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            String scope = collection.type().storage() + '\n' + collection.namespace() + '\n';
            mac.update(scope.getBytes(StandardCharsets.UTF_8));
            mac.update(bytes, 0, length);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static StatusException invalid() {
        return Refusals.badRequest("invalid continue token: continue key is not valid");
    }
}
