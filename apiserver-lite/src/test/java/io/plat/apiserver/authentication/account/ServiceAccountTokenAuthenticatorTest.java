package io.plat.apiserver.authentication.account;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.authentication.account.AccountClaims.ObjectReference;
import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authentication.Undecided;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.http.authentication.jwt.TestingKeys;
import io.plat.http.authentication.jwt.VerificationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceAccountTokenAuthenticatorTest {
    private static final String ISSUER = "https://issuer.example";
    private static final List<String> API = List.of("api");
    private static final Key ACCOUNT = new Key("serviceaccounts", "team", "robot");
    private static final AccountClaims CLAIMS = AccountClaims.of(new AccountName("team", "robot"), "u1");

    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final SigningKey key = SigningKey.of(TestingKeys.P256.getPrivate());
    private final AtomicInteger ids = new AtomicInteger();
    private final TokenIssuer issuer = new TokenIssuer(
            new TokenIssuer.Settings(ISSUER, API, 0), key, () -> now, () -> "id-" + ids.incrementAndGet());
    private final ServiceAccountTokenAuthenticator tokens = new ServiceAccountTokenAuthenticator(
            new ServiceAccountTokenAuthenticator.Trust(
                    List.of(ISSUER, "former"),
                    new KeySet(List.of(key.verification(), VerificationKey.of(TestingKeys.RSA.getPublic())))),
            store,
            () -> now);

    @BeforeEach
    void fill() throws StorageException {
        put(ACCOUNT, "u1", "");
    }

    @AfterEach
    void close() throws StorageException {
        store.close();
    }

    private void put(Key where, String uid, String deleted) throws StorageException {
        String end = deleted.isEmpty() ? "" : ",\"deletionTimestamp\":\"" + deleted + "\"";
        byte[] object = ("{\"metadata\":{\"name\":\"" + where.name() + "\",\"uid\":\"" + uid + "\"" + end + "}}")
                .getBytes(UTF_8);
        long revision = store.latest().get(where).map(entry -> entry.revision()).orElse(0L);
        store.commit(new Transaction(where, object, List.of(new Transaction.Expectation(where, revision))));
    }

    private void delete(Key where) throws StorageException {
        long revision = store.latest().get(where).orElseThrow().revision();
        store.commit(new Transaction(where, null, List.of(new Transaction.Expectation(where, revision))));
    }

    private String issue(AccountClaims claims, String... audiences) {
        return issuer.issue(claims, List.of(audiences), 600).text();
    }

    private String token() {
        return issue(CLAIMS, "api");
    }

    private static String result(Authentication answer) {
        return switch (answer) {
            case Authenticated authenticated -> authenticated.user().name();
            case Refused refused -> refused.reason().replace("service account token: ", "");
            case Undecided undecided -> "undecided: " + undecided.reason();
            case Absent absent -> "absent";
        };
    }

    private String result(String token) {
        return result(tokens.authenticate(token, API));
    }

    @Test
    void tokenAuthenticatesItsServiceAccount() {
        Authentication answer = tokens.authenticate(token(), List.of("other", "api"));
        assertThat(answer).isInstanceOfSatisfying(Authenticated.class, authenticated -> {
            assertThat(authenticated.user().name()).isEqualTo("system:serviceaccount:team:robot");
            assertThat(authenticated.user().uid()).isEqualTo("u1");
            assertThat(authenticated.user().groups())
                    .containsExactly("system:serviceaccounts", "system:serviceaccounts:team");
            assertThat(authenticated.user().extra())
                    .isEqualTo(Map.of("authentication.kubernetes.io/credential-id", List.of("JTI=id-1")));
            assertThat(authenticated.audiences()).containsExactly("api");
        });
    }

    @Test
    void tokenOfAPodNamesThePod() throws StorageException {
        put(new Key("pods", "team", "p"), "u2", "");
        String token = issue(CLAIMS.toPod(new ObjectReference("p", "u2"), "node-1"), "api");
        assertThat(tokens.authenticate(token, API))
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        authenticated -> assertThat(authenticated.user().extra())
                                .isEqualTo(Map.of(
                                        "authentication.kubernetes.io/credential-id", List.of("JTI=id-1"),
                                        "authentication.kubernetes.io/pod-name", List.of("p"),
                                        "authentication.kubernetes.io/pod-uid", List.of("u2"),
                                        "authentication.kubernetes.io/node-name", List.of("node-1"))));
    }

    @Test
    void unavailableStoreLeavesATokenUndecided() throws StorageException {
        var unavailable = new AtomicBoolean();
        ObjectStore remoteStore = new DelegatingStore(store) {
            @Override
            public Snapshot latest() throws StorageException {
                if (unavailable.get()) {
                    throw new StorageException(StorageException.Kind.UNAVAILABLE, "no response");
                }
                return super.latest();
            }
        };
        var authenticator = new ServiceAccountTokenAuthenticator(
                new ServiceAccountTokenAuthenticator.Trust(List.of(ISSUER), new KeySet(List.of(key.verification()))),
                remoteStore,
                () -> now);
        String token = token();
        unavailable.set(true);
        assertThat(result(authenticator.authenticate(token, API)))
                .isEqualTo("undecided: service account token: its bound objects could not be checked: no response");
        assertThat(result(authenticator.authenticate(token, List.of("vault"))))
                .as("the claims of the token are known")
                .isEqualTo("it is for other audiences");
        unavailable.set(false);
        assertThat(result(authenticator.authenticate(token, API))).isEqualTo("system:serviceaccount:team:robot");
        unavailable.set(true);
        assertThat(result(authenticator.authenticate(token, API)))
                .as("although its signature is cached")
                .startsWith("undecided");
    }

    @Test
    void cachedTokenExpires() {
        String token = token();
        now = now.plusSeconds(599);
        assertThat(result(token)).isEqualTo("system:serviceaccount:team:robot");
        now = now.plusSeconds(1);
        assertThat(result(token)).isEqualTo("service account token has expired");
    }

    @Test
    void clockSkewIsTolerated() {
        String token = token();
        now = now.minusSeconds(60);
        assertThat(result(token)).isEqualTo("system:serviceaccount:team:robot");
        now = now.minusSeconds(1);
        assertThat(result(token)).isEqualTo("service account token is not valid yet");
    }

    @Test
    void tokenIsValidForItsAudiencesOnly() {
        String token = issue(CLAIMS, "vault", "db");
        assertThat(result(token)).isEqualTo("it is for other audiences");
        assertThat(tokens.authenticate(token, List.of("db", "x")))
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        authenticated -> assertThat(authenticated.audiences()).containsExactly("db"));
        assertThat(result(token)).as("although its signature is cached").isEqualTo("it is for other audiences");
        assertThat(result(tokens.authenticate(token, List.of()))).isEqualTo("it is for other audiences");
    }

    @ParameterizedTest
    @CsvSource({
        "serviceaccounts, robot, u1, the service account",
        "pods,            p,     u2, the pod",
        "secrets,         s,     u3, the secret",
    })
    void tokenRequiresItsBoundObject(String resource, String name, String uid, String what) throws StorageException {
        Key bound = new Key(resource, "team", name);
        put(bound, uid, "");
        ObjectReference reference = new ObjectReference(name, uid);
        String token = issue(
                switch (resource) {
                    case "pods" -> CLAIMS.toPod(reference, "");
                    case "secrets" -> CLAIMS.toSecret(reference);
                    default -> CLAIMS;
                },
                "api");
        String good = "system:serviceaccount:team:robot";
        assertThat(result(token)).isEqualTo(good);
        put(bound, uid, "");
        assertThat(result(token)).as("changed").isEqualTo(good);
        put(bound, "another", "");
        assertThat(result(token)).isEqualTo(what + " has another uid than the claim");
        put(bound, uid, now.minusSeconds(60).toString());
        // A pod may clean up; an account or a secret is deleted to revoke its tokens.
        assertThat(result(token))
                .as("terminating")
                .isEqualTo(resource.equals("pods") ? good : what + " has been deleted");
        put(bound, uid, now.minusSeconds(61).toString());
        assertThat(result(token)).isEqualTo(what + " has been deleted");
        put(bound, uid, "");
        assertThat(result(token)).isEqualTo(good);
        delete(bound);
        assertThat(result(token)).isEqualTo(what + " has been deleted");
    }

    @Test
    void boundObjectsAreCheckedPeriodically() throws StorageException {
        Key pod = new Key("pods", "team", "p");
        put(pod, "u2", now.toString());
        String token = issue(CLAIMS.toPod(new ObjectReference("p", "u2"), ""), "api");
        assertThat(result(token)).isEqualTo("system:serviceaccount:team:robot");
        now = now.plus(Duration.ofSeconds(61));
        assertThat(result(token)).isEqualTo("the pod has been deleted");
    }

    /** Changed claims of a valid token: {@code name=json} replaces, {@code name=} removes; a path has slashes. */
    private String changed(String path, String json) throws JsonProcessingException {
        ObjectNode claims = CLAIMS.withId("id").write(API, 600, ISSUER, now);
        String[] names = path.split("/", -1);
        ObjectNode parent = claims;
        for (int i = 0; i < names.length - 1; i++) {
            parent = (ObjectNode) parent.path(names[i]);
        }
        String last = names[names.length - 1];
        if (json.isEmpty()) {
            parent.remove(last);
        } else {
            parent.set(last, new JsonMapper().readTree(json));
        }
        return key.sign(claims);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        jti                               | ``         | good
        jti                               | 7          | good
        nbf                               | ``         | good
        iat                               | ``         | good
        aud                               | "api"      | good
        iss                               | "former"   | good
        iss                               | "stranger" | absent
        iss                               | ``         | absent
        iss                               | ["https://issuer.example"] | absent
        aud                               | ``         | malformed
        aud                               | []         | malformed
        aud                               | [1]        | malformed
        exp                               | ``         | malformed
        exp                               | "never"    | malformed
        exp                               | -5         | malformed
        nbf                               | "x"        | malformed
        sub                               | "system:serviceaccount:team:other" | malformed
        sub                               | "system:admin" | malformed
        sub                               | ``         | malformed
        kubernetes.io                     | ``         | malformed
        kubernetes.io                     | "x"        | malformed
        kubernetes.io/namespace           | "other"    | malformed
        kubernetes.io/serviceaccount/uid  | ``         | malformed
        kubernetes.io/serviceaccount/uid  | "u9"       | uid
        kubernetes.io/serviceaccount/name | "other"    | malformed
        kubernetes.io/pod                 | {}         | malformed
        kubernetes.io/pod                 | {"name":"p"} | pod
        kubernetes.io/pod                 | {"name":"a/b","uid":"1"} | malformed
        kubernetes.io/secret              | "s"        | malformed
        kubernetes.io/secret              | {"name":"a\\u0000b","uid":"1"} | malformed
        kubernetes.io/node                | {"name":"n"} | good
        kubernetes.io/warnafter           | 1          | good
        """)
    void boundTokenClaimsAreRequired(String path, String json, String outcome) throws JsonProcessingException {
        assertThat(result(changed(path, json)))
                .isEqualTo(
                        switch (outcome) {
                            case "good" -> "system:serviceaccount:team:robot";
                            case "malformed" -> "not the claims of a bound token";
                            case "uid" -> "the service account has another uid than the claim";
                            case "pod" -> "the pod has been deleted";
                            default -> outcome;
                        });
    }

    @Test
    void otherSigningKeysAreRejected() {
        ObjectNode claims = CLAIMS.withId("id").write(API, 600, ISSUER, now);
        String foreign = SigningKey.of(TestingKeys.OTHER.getPrivate()).sign(claims);
        assertThat(result(foreign)).isEqualTo("not signed by a key of this server");
        assertThat(result(SigningKey.of(TestingKeys.RSA.getPrivate()).sign(claims)))
                .isEqualTo("system:serviceaccount:team:robot");
        for (String other : List.of("s3cret", "a.b.c", "", "..")) {
            assertThat(result(other)).as(other).isEqualTo("absent");
        }
    }

    @Test
    void tokensAreNotLogged() {
        String token = issuer.issue(CLAIMS, API, 600).toString();
        assertThat(token).startsWith("a token until 2026-01-01T00:10:00Z").doesNotContain("eyJ");
    }

    @Test
    void generatedKeyIsPersistent() throws StorageException {
        SigningKey own = StoredSigningKey.open(store);
        assertThat(StoredSigningKey.open(store).verification().id())
                .isEqualTo(own.verification().id());
        assertThat(own.sign(CLAIMS.withId("id").write(API, 600, ISSUER, now))).contains(".");
    }
}
