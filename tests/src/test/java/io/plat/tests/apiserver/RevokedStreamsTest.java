package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.http.authentication.jwt.KeySet;
import io.plat.http.authentication.jwt.SigningKey;
import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.OpenStream;
import io.plat.tests.process.StandaloneServer;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemKeys;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Streams end with the permission or the credential that they were opened with, of any kind. */
class RevokedStreamsTest {
    private static final String ISSUER = "https://issuer.example";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String TOKENS = "t0ken-a,tokenuser,1\n";

    /** The limit is one second; the rest is a margin for busy machines. */
    private static final long BOUND_MILLIS = 5_000;

    private static final List<HttpsClient> OPENED = new ArrayList<>();
    private static Path directory = Path.of("");
    private static Path tokens = Path.of("");
    private static String authority = "";
    private static StandaloneServer server;
    private static SigningKey issuer;
    private static List<OpenStream> untouched = List.of();

    @BeforeAll
    static void start() throws IOException, PemException {
        directory = Files.createTempDirectory("plat-revoked");
        tokens = Files.writeString(directory.resolve("tokens.csv"), TOKENS + "t0ken-b,other,2\n");
        Path logs = Files.createDirectory(directory.resolve("logs"));
        Path keys = directory.resolve("keys.json");
        io.plat.tests.process.TestPki issuing = io.plat.tests.process.TestPki.create();
        issuer = SigningKey.of(PemKeys.read(PemSource.file(Path.of(issuing.file("server.key")))));
        issuing.close();
        Files.writeString(keys, new KeySet(List.of(issuer.verification())).document());
        server = StandaloneServer.startWithRoles(
                "--token-auth-file=" + tokens,
                "--pod-log-dir=" + logs,
                "--oidc-issuer-url=" + ISSUER,
                "--oidc-client-id=me",
                "--oidc-signing-algs=ES256",
                "--oidc-username-prefix=-",
                "--oidc-jwks-file=" + keys);
        authority = Files.readString(Path.of(server.pki().file("ca.crt")));
        create("/apis/rbac.authorization.k8s.io/v1/clusterroles", """
            {"metadata":{"name":"reader"},"rules":[
             {"apiGroups":[""],"resources":["secrets","pods/log"],"verbs":["get","list","watch"]},
             {"nonResourceURLs":["/decisions"],"verbs":["get"]}]}\
            """);
        create("/apis/rbac.authorization.k8s.io/v1/clusterroles", """
            {"metadata":{"name":"puppeteer"},"rules":[
             {"apiGroups":[""],"resources":["users"],"resourceNames":["puppet"],"verbs":["impersonate"]}]}\
            """);
        JsonNode pod = create("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"talker"},"spec":{"nodeName":"n","containers":[{"name":"a","image":"i"}]}}\
            """);
        Path log = Files.createDirectories(
                logs.resolve("default_talker_" + pod.at("/metadata/uid").asText() + "/a"));
        Files.writeString(log.resolve("0.log"), "2024-01-01T00:00:00Z stdout F hello\n");
        untouched = streams(server.client(), Map.of());
    }

    @AfterAll
    static void stop() {
        assertThat(untouched)
                .as("streams of a user with unchanged permissions")
                .noneMatch(stream -> stream.ended().isDone());
        assertThat(server.process().terminate())
                .as("open streams do not delay the shutdown")
                .isZero();
        OPENED.forEach(client -> {
            client.http().shutdownNow();
            client.close();
        });
        server.close();
        Directories.delete(directory);
    }

    private static JsonNode create(String path, String json) throws IOException {
        HttpResponse<String> answer = server.client().post(server.at(path), json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return new JsonMapper().readTree(answer.body());
    }

    private static void delete(String path) throws IOException {
        HttpResponse<String> answer = server.client().send("DELETE", server.at(path), null);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static void bind(String user, String role) throws IOException {
        create(RBAC, """
            {"metadata":{"name":"%s-%s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%s"},
             "subjects":[{"kind":"User","name":"%s","apiGroup":"rbac.authorization.k8s.io"}]}\
            """.formatted(role, user.replace(':', '.'), role, user));
    }

    private static HttpsClient client(@Nullable String certificate) {
        HttpsClient client = HttpsClient.of(server.pki(), certificate);
        OPENED.add(client);
        return client;
    }

    private static Map<String, String> bearer(String token) {
        return Map.of("Authorization", "Bearer " + token);
    }

    /** Opens a stream of each kind. */
    private static List<OpenStream> streams(HttpsClient client, Map<String, String> headers) throws IOException {
        return List.of(
                OpenStream.response(client.http(), server.at("/api/v1/secrets?watch=1"), headers),
                OpenStream.socket(client.http(), server.at("/api/v1/secrets?watch=1"), headers),
                OpenStream.response(
                        client.http(), server.at("/api/v1/namespaces/default/pods/talker/log?follow=true"), headers),
                OpenStream.response(client.http(), server.at("/decisions"), headers));
    }

    @FunctionalInterface
    private interface Revocation {
        void happen() throws IOException;
    }

    private static void endWith(String cause, List<OpenStream> streams, Revocation revocation) throws IOException {
        assertThat(streams).noneMatch(stream -> stream.ended().isDone());
        revocation.happen();
        endAfter(cause, streams, System.nanoTime());
    }

    private static void endAfter(String cause, List<OpenStream> streams, long begin) {
        List<Long> millis =
                streams.stream().map(stream -> stream.endedMillisAfter(begin)).toList();
        System.out.println(cause + ": streams ended after "
                + millis.stream().map(String::valueOf).collect(Collectors.joining(", ")) + " ms");
        assertThat(millis).as(cause).allMatch(took -> took < BOUND_MILLIS);
    }

    @Test
    void deletedBindingEndsStreams() throws IOException {
        server.pki().client("bound");
        bind("bound", "reader");
        endWith("binding deleted", streams(client("bound"), Map.of()), () -> delete(RBAC + "/reader-bound"));
    }

    /** The watched object is deleted as well. */
    @Test
    void deletedDefinitionEndsWatches() throws IOException {
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        create(definitions, """
            {"metadata":{"name":"ties.example.com"},"spec":{"group":"example.com","scope":"Cluster",
             "names":{"plural":"ties","kind":"Tie"},"versions":[{"name":"v1","served":true,"storage":true,
              "schema":{"openAPIV3Schema":{"type":"object"}}}]}}\
            """);
        String watch = "/apis/example.com/v1/ties?watch=1";
        endWith(
                "definition deleted",
                List.of(
                        OpenStream.response(server.client().http(), server.at(watch), Map.of()),
                        OpenStream.socket(server.client().http(), server.at(watch), Map.of())),
                () -> delete(definitions + "/ties.example.com"));
    }

    @Test
    void removedTokenEndsStreams() throws IOException {
        bind("other", "reader");
        endWith(
                "token removed from --token-auth-file",
                streams(client(null), bearer("t0ken-b")),
                () -> AtomicFile.put(tokens, TOKENS));
    }

    private static String account(String name, @Nullable String secret) throws IOException {
        create("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"" + name + "\"}}");
        bind("system:serviceaccount:default:" + name, "reader");
        String reference = secret == null
                ? "{}"
                : "{\"boundObjectRef\":{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"name\":\"" + secret + "\"}}";
        return create("/api/v1/namespaces/default/serviceaccounts/" + name + "/token", "{\"spec\":" + reference + "}")
                .at("/status/token")
                .asText();
    }

    @Test
    void deletedServiceAccountEndsStreams() throws IOException {
        endWith(
                "service account deleted",
                streams(client(null), bearer(account("robot", null))),
                () -> delete("/api/v1/namespaces/default/serviceaccounts/robot"));
    }

    @Test
    void deletedBoundObjectEndsStreams() throws IOException {
        create("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"anchor\"}}");
        endWith(
                "bound object deleted",
                streams(client(null), bearer(account("anchored", "anchor"))),
                () -> delete("/api/v1/namespaces/default/secrets/anchor"));
    }

    @Test
    void deletedBoundPodEndsStreams() throws IOException {
        create("/api/v1/namespaces/default/serviceaccounts", "{\"metadata\":{\"name\":\"runner\"}}");
        bind("system:serviceaccount:default:runner", "reader");
        create("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"run"},"spec":{"serviceAccountName":"runner","containers":[{"name":"a","image":"i"}]}}\
            """);
        String token = create("/api/v1/namespaces/default/serviceaccounts/runner/token", """
            {"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"run"}}}\
            """)
                .at("/status/token")
                .asText();
        endWith(
                "bound pod deleted",
                streams(client(null), bearer(token)),
                () -> delete("/api/v1/namespaces/default/pods/run?gracePeriodSeconds=0"));
    }

    @Test
    void expiredTokenEndsStreams() throws IOException {
        bind("erin", "reader");
        Instant end = Instant.now().plusSeconds(4);
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        claims.put("iss", ISSUER).put("aud", "me").put("sub", "erin").put("exp", end.getEpochSecond());
        List<OpenStream> streams = streams(client(null), bearer(issuer.sign(claims)));
        endAfter("token expired", streams, at(Instant.ofEpochSecond(end.getEpochSecond())));
    }

    /** A time in the scale of {@link System#nanoTime}. */
    private static long at(Instant moment) {
        return System.nanoTime() + Duration.between(Instant.now(), moment).toNanos();
    }

    @Test
    void expiredCertificateEndsStreams() throws IOException {
        bind("brief", "reader");
        Instant end = server.pki().clientUntil("brief", Instant.now().plusSeconds(4));
        endAfter("certificate expired", streams(client("brief"), Map.of()), at(end));
    }

    @Test
    void removedAuthorityEndsStreams() throws IOException {
        Path file = Path.of(server.pki().file("ca.crt"));
        server.pki().untrustedClient("foreigner");
        HttpsClient client = client("foreigner");
        AtomicFile.put(file, authority + Files.readString(Path.of(server.pki().file("other-ca.crt"))));
        await().until(() -> client.get(server.at("/version")).statusCode() == 200);
        endWith(
                "authority removed from --client-ca-file",
                streams(client, Map.of()),
                () -> AtomicFile.put(file, authority));
    }

    @Test
    void revokedImpersonationEndsStreams() throws IOException {
        server.pki().client("puppeteer");
        bind("puppet", "reader");
        bind("puppeteer", "puppeteer");
        Map<String, String> headers = new HashMap<>(Map.of("Impersonate-User", "puppet"));
        endWith(
                "impersonation revoked",
                streams(client("puppeteer"), headers),
                () -> delete(RBAC + "/puppeteer-puppeteer"));
    }
}
