package io.plat.apiserver.authentication.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.StoredForm;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.TokenAuthenticator;
import io.plat.http.authentication.TokenDigest;
import io.plat.http.authentication.jwt.Claims;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SignedToken;
import io.plat.http.authentication.jwt.VerifiedTokenCache;
import io.plat.review.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Authenticator of service account tokens. Checks signature, issuer, audience and time, and that the account and any bound object still
 * exist with the same uid.
 */
public final class ServiceAccountTokenAuthenticator implements TokenAuthenticator {
    private static final Set<String> ALGORITHMS = Set.of("RS256", "ES256", "ES384", "ES512");

    /** Maximum clock skew between servers that share a key; a token is never accepted after its expiry. */
    private static final Duration SKEW = Duration.ofSeconds(60);

    private static final int MAX_VERSIONS = 10_000;

    private final Trust trust;
    private final ObjectStore store;
    private final InstantSource clock;
    private final VerifiedTokenCache<VerifiedToken> verified = new VerifiedTokenCache<>();

    /** Versions that were read last: an object, which may be large, is read once for all tokens, including refused ones. */
    private final Cache<Key, Version> versions =
            Caffeine.newBuilder().maximumSize(MAX_VERSIONS).build();

    public record Trust(List<String> issuers, KeySet keys) {
        public Trust {
            issuers = List.copyOf(issuers);
        }
    }

    private record VerifiedToken(
            UserInfo user, List<String> audiences, Instant notBefore, Instant expiry, List<BoundObject> bound) {}

    public ServiceAccountTokenAuthenticator(Trust trust, ObjectStore store, InstantSource clock) {
        this.trust = trust;
        this.store = store;
        this.clock = clock;
    }

    @Override
    public Authentication authenticate(String token, List<String> audiences) {
        TokenDigest digest = TokenDigest.of(token);
        @Nullable VerifiedToken cached = verified.find(digest);
        if (cached != null) {
            return validate(cached, audiences);
        }
        Optional<SignedToken> parsed = SignedToken.parse(token);
        if (parsed.isEmpty() || !trust.issuers().contains(parsed.get().claims().issuer())) {
            return Absent.ABSENT;
        }
        if (!parsed.get().verifiedBy(trust.keys().named(parsed.get().keyId()), ALGORITHMS)) {
            return new Refused("service account token: not signed by a key of this server");
        }
        Optional<VerifiedToken> accepted = verifiedToken(parsed.get().claims());
        if (accepted.isEmpty()) {
            return new Refused("service account token: not the claims of a bound token");
        }
        Authentication answer = validate(accepted.get(), audiences);
        if (answer instanceof Authenticated) {
            verified.keep(digest, token.length(), accepted.get());
        }
        return answer;
    }

    /** Reads the claims; tokens without an audience or expiry, such as legacy tokens, are not accepted. */
    private static Optional<VerifiedToken> verifiedToken(Claims claims) {
        Optional<AccountClaims> own = AccountClaims.read(claims);
        Optional<Instant> expiry = claims.expiry();
        boolean undated = claims.has("nbf") && claims.notBefore().isEmpty();
        if (own.isEmpty() || expiry.isEmpty() || undated || claims.audiences().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new VerifiedToken(
                own.get().user(),
                claims.audiences(),
                claims.notBefore().orElse(Instant.EPOCH),
                expiry.get(),
                bound(own.get())));
    }

    private static List<BoundObject> bound(AccountClaims claims) {
        String namespace = claims.account().namespace();
        List<BoundObject> bound = new ArrayList<>();
        bound.add(new BoundObject(
                "service account",
                new Key("serviceaccounts", namespace, claims.account().name()),
                claims.uid()));
        claims.pod()
                .ifPresent(pod -> bound.add(new BoundObject("pod", new Key("pods", namespace, pod.name()), pod.uid())));
        claims.secret()
                .ifPresent(secret -> bound.add(
                        new BoundObject("secret", new Key("secrets", namespace, secret.name()), secret.uid())));
        return bound;
    }

    private Authentication validate(VerifiedToken token, List<String> desired) {
        Instant now = clock.instant();
        if (!now.isBefore(token.expiry())) {
            return new Refused("service account token has expired");
        }
        if (now.plus(SKEW).isBefore(token.notBefore())) {
            return new Refused("service account token is not valid yet");
        }
        List<String> common =
                token.audiences().stream().filter(desired::contains).toList();
        if (common.isEmpty()) {
            return new Refused("service account token: it is for other audiences");
        }
        try {
            return bound(token, now)
                    .<Authentication>map(problem -> new Refused("service account token: " + problem))
                    .orElseGet(() -> new Authenticated(token.user(), common));
        } catch (StorageException e) {
            return new Undecided("service account token: its bound objects could not be checked: " + e.getMessage());
        }
    }

    /** Returns true if the store is remote. */
    @Override
    public boolean waits(String token) {
        return !store.readsFromMemory();
    }

    private Optional<String> bound(VerifiedToken token, Instant now) throws StorageException {
        Snapshot snapshot = store.latest();
        for (BoundObject object : token.bound()) {
            Optional<Entry> entry = snapshot.get(object.key);
            Optional<String> problem = entry.isEmpty()
                    ? Optional.of(object.deleted())
                    : object.problem(version(object.key, entry.get()), now);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    private StoredForm.Identity version(Key key, Entry entry) {
        @Nullable Version cached = versions.getIfPresent(key);
        if (cached == null || cached.revision != entry.revision()) {
            cached = new Version(entry.revision(), StoredForm.identity(entry.value()));
            versions.put(key, cached);
        }
        return cached.identity;
    }

    private record Version(long revision, StoredForm.Identity identity) {}

    /** Object to which a token is bound. */
    private record BoundObject(String what, Key key, String uid) {
        /** Time for which a pod that is being deleted still counts, as in kube-apiserver, so that it can clean up. */
        private static final Duration GRACE = Duration.ofSeconds(60);

        /** Returns a one-line reason why a token bound to it is no longer valid; empty while it is. */
        Optional<String> problem(StoredForm.Identity identity, Instant now) {
            if (!identity.uid().equals(uid)) {
                return Optional.of("the " + what + " has another uid than the claim");
            }
            return !identity.deleted().isEmpty() && (!key.resource().equals("pods") || isOver(identity.deleted(), now))
                    ? Optional.of(deleted())
                    : Optional.empty();
        }

        private String deleted() {
            return "the " + what + " has been deleted";
        }

        private static boolean isOver(String deleted, Instant now) {
            try {
                return Instant.parse(deleted).isBefore(now.minus(GRACE));
            } catch (DateTimeParseException _) {
                return true;
            }
        }
    }
}
