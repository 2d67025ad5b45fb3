package io.plat.tests.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Service account tokens: requests, use, reviews, and invalidation with bound objects. */
class ServiceAccountTokensTest {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";

    private static StandaloneServer server;
    private static HttpsClient admin;
    private static HttpsClient bare;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startProcessWithRoles();
        admin = server.client();
        bare = HttpsClient.of(server.pki(), null);
        created(ACCOUNTS, "{\"metadata\":{\"name\":\"robot\"}}");
        created("/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"s\"}}");
        pod("p", "robot");
        pod("q", "default");
        created(RBAC + "clusterroles", """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"robots"},"rules":[
             {"apiGroups":[""],"resources":["configmaps"],"verbs":["get","list","watch","update"]},
             {"apiGroups":["authentication.k8s.io"],"resources":["selfsubjectreviews"],"verbs":["create"]},
             {"nonResourceURLs":["/openid/v1/jwks"],"verbs":["get"]}]}\
            """);
        created(RBAC + "clusterrolebindings", """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"robots"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"robots"},
             "subjects":[{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"system:serviceaccounts"}]}\
            """);
    }

    private static JsonNode pod(String name, String account) throws IOException {
        return created("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"%s"},"spec":{"serviceAccountName":"%s","containers":[{"name":"c","image":"i"}]}}\
            """.formatted(name, account));
    }

    @AfterAll
    static void stop() {
        bare.close();
        server.close();
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        return new JsonMapper().readTree(answer.body());
    }

    private static JsonNode created(String path, String object) throws IOException {
        HttpResponse<String> answer = admin.post(server.at(path), object);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return json(answer);
    }

    private static String token(String account, String spec) throws IOException {
        return created(ACCOUNTS + "/" + account + "/token", "{\"spec\":" + spec + "}")
                .at("/status/token")
                .asText();
    }

    private static HttpsClient with(String token) {
        return bare.withHeader("Authorization", "Bearer " + token);
    }

    /** Returns the user of a token: the name, or the status code of the refusal. */
    private static String who(String token) throws IOException {
        HttpResponse<String> answer = with(token).post(server.at(WHO), "{}");
        return answer.statusCode() == 201
                ? json(answer).at("/status/userInfo/username").asText()
                : Integer.toString(answer.statusCode());
    }

    @Test
    void tokenHasTheRequestedClaimsAndAuthenticates() throws IOException {
        JsonNode answer = created(ACCOUNTS + "/robot/token", """
            {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":1200,
             "boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p"}}}\
            """);
        assertThat(answer.path("kind").asText()).isEqualTo("TokenRequest");
        assertThat(answer.at("/metadata/name").asText()).isEqualTo("robot");
        assertThat(answer.at("/spec/expirationSeconds").asLong()).isEqualTo(1200);
        assertThat(answer.at("/spec/audiences/0").asText()).isEqualTo("https://kubernetes.default.svc.cluster.local");
        String token = answer.at("/status/token").asText();
        JsonNode claims = new JsonMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(1200);
        assertThat(claims.path("sub").asText()).isEqualTo("system:serviceaccount:default:robot");
        assertThat(claims.at("/kubernetes.io/pod/name").asText()).isEqualTo("p");
        JsonNode user = json(with(token).post(server.at(WHO), "{}")).at("/status/userInfo");
        assertThat(user.path("username").asText()).isEqualTo("system:serviceaccount:default:robot");
        assertThat(user.path("uid").asText())
                .isEqualTo(claims.at("/kubernetes.io/serviceaccount/uid").asText());
        assertThat(user.path("groups").toString())
                .isEqualTo("[\"system:serviceaccounts\",\"system:serviceaccounts:default\",\"system:authenticated\"]");
        assertThat(user.at("/extra/authentication.kubernetes.io~1credential-id/0")
                        .asText())
                .isEqualTo("JTI=" + claims.path("jti").asText());
        assertThat(user.at("/extra/authentication.kubernetes.io~1pod-uid/0").asText())
                .isEqualTo(claims.at("/kubernetes.io/pod/uid").asText());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        robot ; {"spec":{"expirationSeconds":599}} ; 422 ; TokenRequest.authentication.k8s.io \\"\\" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes
        robot ; {"spec":{"expirationSeconds":4294967297}} ; 422 ; may not specify a duration larger than 2^32 seconds
        robot ; {"spec":{"expirationSeconds":"600"}} ; 400 ; cannot unmarshal string into Go struct field TokenRequest.spec.expirationSeconds of type int64
        robot ; {"spec":{"audiences":"x"}} ; 400 ; cannot unmarshal string into Go struct field TokenRequest.spec.audiences of type []string
        robot ; {"metadata":{"name":"other"}} ; 422 ; metadata.name: Invalid value: \\"other\\": must match the service account name if specified
        robot ; {"metadata":{"namespace":"other"}} ; 400 ; the namespace of the provided object does not match the namespace sent on the request
        robot ; {"kind":"Pod"} ; 400 ; Pod in version \\"v1\\" cannot be handled as a TokenRequest: no kind \\"Pod\\" is registered for version \\"authentication.k8s.io/v1\\"
        robot ; [] ; 400 ; must be of type TokenRequest
        robot ; { ; 400 ; must be of type TokenRequest
        nobody ; {} ; 404 ; serviceaccounts \\"nobody\\" not found
        robot ; {"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"none"}}} ; 404 ; pods \\"none\\" not found
        robot ; {"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1"}}} ; 400 ; Name parameter required.
        robot ; {"spec":{"boundObjectRef":{"kind":"Node","apiVersion":"v1","name":"n"}}} ; 404 ; nodes \\"n\\" not found
        robot ; {"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"q"}}} ; 400 ; cannot bind token for serviceaccount \\"robot\\" to pod running with different serviceaccount name.
        robot ; {"spec":{"boundObjectRef":{"kind":"Secret","apiVersion":"v1","name":"s","uid":"x"}}} ; 409 ; Operation cannot be fulfilled on Secret \\"s\\": the UID in the bound object reference (x) does not match the UID in record
        robot ; {"spec":{"boundObjectRef":{"kind":"ConfigMap","apiVersion":"v1","name":"c"}}} ; 400 ; cannot bind token to object of type /v1, Kind=ConfigMap
        robot ; {"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"apps/v1","name":"p"}}} ; 400 ; cannot bind token to object of type apps/v1, Kind=Pod
        """)
    void refusalsMatchKubernetesMessages(String account, String body, int code, String message) throws IOException {
        HttpResponse<String> answer = admin.post(server.at(ACCOUNTS + "/" + account.strip() + "/token"), body.strip());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(answer.body()).contains(message.strip());
    }

    @Test
    void missingNamespaceIsReportedFirst() throws IOException {
        assertThat(admin.post(server.at("/api/v1/namespaces/none/serviceaccounts/robot/token"), "{}")
                        .body())
                .contains("namespaces \\\"none\\\" not found");
    }

    /** The options are those of other writes. As in Kubernetes, a dry run issues a token too, so that policies must not exempt dry runs. */
    @ParameterizedTest
    @CsvSource({"All, 201", "bogus, 422"})
    void dryRunIsSupported(String dryRun, int code) throws IOException {
        HttpResponse<String> answer = admin.post(server.at(ACCOUNTS + "/robot/token?dryRun=" + dryRun), "{}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
    }

    @Test
    void tokenRequestRequiresPermission() throws IOException {
        String token = token("robot", "{}");
        HttpResponse<String> rejected = with(token).post(server.at(ACCOUNTS + "/robot/token"), "{}");
        assertThat(rejected.statusCode()).isEqualTo(403);
        assertThat(rejected.body()).contains("cannot create resource \\\"serviceaccounts/token\\\"");
        assertThat(admin.get(server.at(ACCOUNTS + "/robot/token")).statusCode()).isEqualTo(405);
    }

    @Test
    void tokenEndsWithItsPod() throws IOException {
        pod("brief", "robot");
        String token =
                token("robot", "{\"boundObjectRef\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"name\":\"brief\"}}");
        assertThat(who(token)).isEqualTo("system:serviceaccount:default:robot");
        admin.send("DELETE", server.at("/api/v1/namespaces/default/pods/brief"), null);
        assertThat(who(token)).isEqualTo("401");
        pod("brief", "robot");
        assertThat(who(token)).as("another pod of that name").isEqualTo("401");
    }

    @Test
    void tokenEndsWithItsAccount() throws IOException {
        created(ACCOUNTS, "{\"metadata\":{\"name\":\"brief\"}}");
        String token = token("brief", "{}");
        assertThat(who(token)).isEqualTo("system:serviceaccount:default:brief");
        admin.send("DELETE", server.at(ACCOUNTS + "/brief"), null);
        assertThat(who(token)).isEqualTo("401");
        created(ACCOUNTS, "{\"metadata\":{\"name\":\"brief\"}}");
        assertThat(who(token)).as("another account of that name").isEqualTo("401");
    }

    @Test
    void modifiedOrForeignTokenIs401() throws IOException {
        String token = token("robot", "{}");
        String[] parts = token.split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8);
        String other = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.replace("robot", "default").getBytes(UTF_8));
        assertThat(who(parts[0] + "." + other + "." + parts[2])).isEqualTo("401");
        assertThat(who(parts[0] + "." + parts[1] + ".")).isEqualTo("401");
        assertThat(who(parts[0] + "." + parts[1])).isEqualTo("401");
        assertThat(who(token("robot", "{\"audiences\":[\"vault\"]}"))).isEqualTo("401");
        assertThat(server.process().err()).doesNotContain(parts[1]).doesNotContain(parts[2]);
    }

    @Test
    void tokenReviewReturnsUserAndAudiences() throws IOException {
        String token = token("robot", "{\"audiences\":[\"vault\",\"db\"]}");
        JsonNode good = created(REVIEWS, "{\"spec\":{\"token\":\"" + token + "\",\"audiences\":[\"x\",\"vault\"]}}");
        assertThat(good.at("/status/authenticated").asBoolean()).isTrue();
        assertThat(good.at("/status/audiences").toString()).isEqualTo("[\"vault\"]");
        assertThat(good.at("/status/user/username").asText()).isEqualTo("system:serviceaccount:default:robot");
        assertThat(good.at("/status/user/groups").toString()).contains("system:authenticated");
        JsonNode bad = created(REVIEWS, "{\"spec\":{\"token\":\"" + token + "\"}}");
        assertThat(bad.at("/status/authenticated").asBoolean()).isFalse();
        assertThat(bad.at("/status/user").isEmpty()).isTrue();
        assertThat(bad.at("/status/error").asText()).startsWith("invalid bearer token");
        assertThat(created(REVIEWS, "{\"spec\":{\"token\":\"nonsense\"}}")
                        .at("/status/error")
                        .asText())
                .isEqualTo("invalid bearer token");
        HttpResponse<String> empty = admin.post(server.at(REVIEWS), "{\"spec\":{}}");
        assertThat(empty.statusCode()).isEqualTo(400);
        assertThat(empty.body()).contains("token is required for TokenReview in authentication");
        assertThat(with(token("robot", "{}")).post(server.at(REVIEWS), "{}").statusCode())
                .isEqualTo(403);
        assertThat(admin.get(server.at(REVIEWS)).statusCode()).isEqualTo(405);
    }

    @Test
    void keySetRequiresPermission() throws IOException {
        String keys = "/openid/v1/jwks";
        HttpResponse<String> answer = with(token("robot", "{}")).get(server.at(keys));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/jwk-set+json");
        JsonNode key = json(answer).at("/keys/0");
        String header = token("robot", "{}").split("\\.", -1)[0];
        assertThat(new JsonMapper()
                        .readTree(Base64.getUrlDecoder().decode(header))
                        .path("kid"))
                .isEqualTo(key.path("kid"));
        assertThat(key.has("d")).isFalse();
        assertThat(bare.get(server.at(keys)).statusCode()).isEqualTo(403);
        HttpResponse<String> configuration = admin.get(server.at("/.well-known/openid-configuration"));
        assertThat(json(configuration).path("issuer").asText())
                .isEqualTo("https://kubernetes.default.svc.cluster.local");
        assertThat(json(configuration).path("jwks_uri").asText()).endsWith(keys);
    }

    /** A controller watches and updates objects, with only a bound token. */
    @Test
    void controllerUsesABoundToken() throws Exception {
        String token = token("robot", "{\"boundObjectRef\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"name\":\"p\"}}");
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(server.at("").toString())
                .withCaCertFile(server.pki().file("ca.crt"))
                .withOauthToken(token)
                .withNamespace("default")
                .build();
        BlockingQueue<ConfigMap> events = new LinkedBlockingQueue<>();
        try (KubernetesClient client =
                        new KubernetesClientBuilder().withConfig(config).build();
                SharedIndexInformer<ConfigMap> informer = client.configMaps()
                        .inNamespace("default")
                        .withLabel("controlled", "yes")
                        .inform(new Greeter(client, events))) {
            assertThat(informer.hasSynced()).isTrue();
            created(
                    "/api/v1/namespaces/default/configmaps",
                    "{\"metadata\":{\"name\":\"work\",\"labels\":{\"controlled\":\"yes\"}}}");
            ConfigMap event = events.poll(20, TimeUnit.SECONDS);
            assertThat(event).isNotNull();
            assertThat(event.getData()).containsEntry("greeting", "hello");
            assertThat(admin.get(server.at("/api/v1/namespaces/default/configmaps/work"))
                            .body())
                    .contains("\"greeting\":\"hello\"");
        }
    }

    private record Greeter(KubernetesClient client, BlockingQueue<ConfigMap> event)
            implements ResourceEventHandler<ConfigMap> {
        @Override
        public void onAdd(ConfigMap object) {
            client.resource(new ConfigMapBuilder(object)
                            .withData(Map.of("greeting", "hello"))
                            .build())
                    .update();
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap after) {
            event.add(after);
        }

        @Override
        public void onDelete(ConfigMap object, boolean stateUnknown) {}
    }

    @Test
    void kubectlCreatesTokensAndUsesThem() {
        assumeTrue(Command.installed("kubectl"), "kubectl is not installed");
        Command kubectl = Command.of("kubectl", "-n", "default");
        Command asAdmin = kubectl.with("--kubeconfig", server.clientFile().toString());
        CompletedProcess result =
                asAdmin.with("create", "token", "robot", "--duration=20m").run();
        assertThat(result.err()).isEmpty();
        Command asRobot = kubectl.with(
                "--kubeconfig=/dev/null",
                "--server=" + server.at(""),
                "--certificate-authority=" + server.pki().file("ca.crt"),
                "--token=" + result.out().strip());
        assertThat(asRobot.with("auth", "whoami").run().out())
                .contains("system:serviceaccount:default:robot", "credential-id");
        assertThat(asAdmin.with("create", "token", "robot", "--duration=10s")
                        .run()
                        .err())
                .contains("may not specify a duration less than 10 minutes");
        assertThat(asAdmin.with("create", "token", "robot", "--as=bob", "--as-group=g", "--as-uid=7")
                        .run()
                        .err())
                .contains("User \"bob\" cannot create resource \"serviceaccounts/token\"");
    }
}
