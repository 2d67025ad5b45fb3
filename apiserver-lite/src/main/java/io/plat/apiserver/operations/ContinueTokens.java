package io.plat.apiserver.operations;

import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.ApiErrors;
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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that continue a chunked list (specification, "Chunked lists"). A token contains the revision, its time of issue and the last key
 * of the chunk; an authentication code over these and the collection prevents forgery, and use for another resource or namespace.
 *
 * <p>The secret is stored outside the API, so that tokens survive a restart and are accepted by all servers of a store.
 */
final class ContinueTokens {
    /** Default lifetime of tokens (specification, "Limits"). */
    static final Duration DEFAULT_TTL = Duration.ofMinutes(5);

    private static final Key SECRET = new Key("server-secrets", "", "continue-tokens");
    private static final int SECRET_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private static final byte VERSION = 1;
    private static final int CODE_BYTES = 16;
    private static final int HEAD_BYTES = 1 + Long.BYTES + Long.BYTES;

    /** Revision in a token that continues with the current state, including later changes. */
    private static final long ANY_STATE = 0;

    private final SecretKeySpec secret;
    private final ObjectIdentity identity;
    private final Duration ttl;

    private ContinueTokens(byte[] secret, ObjectIdentity identity, Duration ttl) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
        this.identity = identity;
        this.ttl = ttl;
    }

    /**
     * Contents of a token.
     *
     * @param revision revision of the list, or 0 for the current state
     * @param issued time of issue, to the second
     * @param after path of the last returned key
     */
    record Token(long revision, Instant issued, String after) {
        /** Returns whether the rest of the list is consistent with its beginning. */
        boolean consistent() {
            return revision != ANY_STATE;
        }
    }

    /** Opens the tokens of a store. */
    static ContinueTokens open(ObjectStore store, ObjectIdentity identity, Duration ttl) throws StorageException {
        byte[] secret = store.getOrCreate(SECRET, () -> {
            byte[] created = new byte[SECRET_BYTES];
            identity.random().nextBytes(created);
            return created;
        });
        return new ContinueTokens(secret, identity, ttl);
    }

    /** Returns the token that continues after a key in one state of a collection. */
    String issue(Target collection, long revision, String after) {
        byte[] path = after.getBytes(StandardCharsets.UTF_8);
        ByteBuffer token = ByteBuffer.allocate(HEAD_BYTES + path.length + CODE_BYTES)
                .put(VERSION)
                .putLong(revision)
                .putLong(identity.clock().instant().getEpochSecond())
                .put(path);
        byte[] code = code(collection, token.array(), token.position());
        token.put(code, 0, CODE_BYTES);
        return text(token.array());
    }

    private static String text(byte[] token) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** Returns the token that continues after a key, in the state that is current when it is used. */
    String issueInconsistent(Target collection, String after) {
        return issue(collection, ANY_STATE, after);
    }

    /**
     * Parses a token.
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

    /** Returns whether a token has expired. One without a revision never does. */
    boolean expired(Token token) {
        return token.consistent()
                && token.issued().plus(ttl).isBefore(identity.clock().instant());
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
        return ApiErrors.badRequest("invalid continue token: continue key is not valid");
    }
}
