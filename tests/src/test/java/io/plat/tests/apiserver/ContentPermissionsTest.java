package io.plat.tests.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERT61String;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.DERUniversalString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes whose content requires an additional permission, as in Kubernetes: owner references, and approvals of signers. */
class ContentPermissionsTest {
    private static final String SECRETS = "/api/v1/namespaces/default/secrets";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    private static final String MERGE = "application/merge-patch+json";
    private static final JsonMapper JSON = new JsonMapper();

    private static StandaloneServer server;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithRoles();
        grant("writer", """
            {"apiGroups":["","example.com"],"resources":["secrets","configmaps","widgets"],"verbs":["get","create","update","patch"]},
            {"apiGroups":["certificates.k8s.io"],"resources":["*"],"verbs":["get","create","update","patch"]}\
            """);
        grant("parts", """
            {"apiGroups":["","apps","example.com","policy"],"resources":["namespaces/finalize","namespaces/status","pods/status",
             "pods/ephemeralcontainers","pods/resize","pods/binding","pods/eviction","deployments/status","deployments/scale",
             "poddisruptionbudgets/status","widgets/status","widgets/scale","serviceaccounts/token"],
             "verbs":["*"],"resourceNames":["part"]}\
            """);
        grant("deleter", """
            {"apiGroups":["","example.com"],"resources":["secrets","configmaps","widgets"],"verbs":["get","create","update","patch","delete"]}\
            """);
        grant("finalizer", """
            {"apiGroups":["","example.com"],"resources":["secrets","configmaps","widgets"],"verbs":["get","create","update","patch","delete"]},
            {"apiGroups":[""],"resources":["configmaps/finalizers"],"verbs":["update"]}\
            """);
        grant("own-finalizer", """
            {"apiGroups":[""],"resources":["secrets"],"verbs":["create","patch","delete"]},
            {"apiGroups":[""],"resources":["configmaps/finalizers"],"resourceNames":["mine"],"verbs":["update"]}\
            """);
        String answers =
                "{\"apiGroups\":[\"certificates.k8s.io\"],\"resources\":[\"certificatesigningrequests\",\"certificatesigningrequests/approval\","
                        + "\"certificatesigningrequests/status\"],\"verbs\":[\"get\",\"update\",\"patch\"]}";
        for (String verb : List.of("approve", "sign")) {
            for (String[] signer : new String[][] {
                {"exactly", "example.com/a"}, {"domain", "example.com/*"}, {"other", "example.org/*"}
            }) {
                grant(
                        verb + "-" + signer[0],
                        answers + ",{\"apiGroups\":[\"certificates.k8s.io\"],\"resources\":[\"signers\"],"
                                + "\"resourceNames\":[\"" + signer[1] + "\"],\"verbs\":[\"" + verb + "\"]}");
            }
        }
        admin("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
            {"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
             "names":{"plural":"widgets","kind":"Widget"},
             "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}},
              "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}\
            """);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void grant(String user, String rules) throws IOException {
        admin(
                "POST",
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "{\"metadata\":{\"name\":\"" + user + "\"},\"rules\":[" + rules + "]}");
        admin("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
            {"metadata":{"name":"%1$s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%1$s"},
             "subjects":[{"kind":"User","name":"%1$s","apiGroup":"rbac.authorization.k8s.io"}]}\
            """.formatted(user));
    }

    private static JsonNode admin(String method, String path, String json) throws IOException {
        HttpResponse<String> answer = server.client().send(method, server.at(path), json);
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        return JSON.readTree(answer.body());
    }

    private static HttpsClient as(String user) {
        return server.client().withHeader("Impersonate-User", user);
    }

    private static String owner(String name, boolean blocks) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"" + name
                + "\",\"uid\":\"1b4e28ba-2fa1-11d2-883f-0016d3cca427\"" + (blocks ? ",\"blockOwnerDeletion\":true" : "")
                + "}";
    }

    private static final String CANT_DELETE = " is forbidden: cannot set an ownerRef on a resource you can't delete: ";
    private static final String CANT_FINALIZE =
            " is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set"
                    + " finalizers on: ";

    /** All paths that write owner references, of a built-in and a custom type. */
    private static HttpResponse<String> write(String user, String way, String collection, String name, String owners)
            throws IOException {
        boolean custom = collection.equals(WIDGETS);
        String kind = custom
                ? "\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\""
                : "\"apiVersion\":\"v1\",\"kind\":\"Secret\"";
        String object = "{" + kind + ",\"metadata\":{\"name\":\"" + name + "\",\"ownerReferences\":" + owners + "}}";
        String own = collection + "/" + name;
        if (way.equals("create")) {
            return as(user).post(server.at(collection), object);
        }
        if (way.equals("generate")) {
            return as(user).post(
                            server.at(collection), object.replace("\"name\":\"" + name, "\"generateName\":\"" + name));
        }
        if (way.equals("update-create")) {
            return as(user).send("PUT", server.at(own), object);
        }
        if (way.equals("apply-create")) {
            return as(user).send("PATCH", server.at(own + "?fieldManager=m"), "application/apply-patch+yaml", object);
        }
        JsonNode created = admin("POST", collection, "{" + kind + ",\"metadata\":{\"name\":\"" + name + "\"}}");
        return switch (way) {
            case "update" ->
                as(user).send(
                                "PUT",
                                server.at(own),
                                object.replace(
                                        "\"metadata\":{",
                                        "\"metadata\":{\"resourceVersion\":\""
                                                + created.at("/metadata/resourceVersion")
                                                        .asText() + "\","));
            case "merge" ->
                as(user).send("PATCH", server.at(own), MERGE, "{\"metadata\":{\"ownerReferences\":" + owners + "}}");
            case "strategic" ->
                as(user).send(
                                "PATCH",
                                server.at(own),
                                "application/strategic-merge-patch+json",
                                "{\"metadata\":{\"ownerReferences\":" + owners + "}}");
            case "json" ->
                as(user).send(
                                "PATCH",
                                server.at(own),
                                "application/json-patch+json",
                                "[{\"op\":\"add\",\"path\":\"/metadata/ownerReferences\",\"value\":" + owners + "}]");
            case "replaced" -> {
                admin("PUT", own, object.replace("1b4e28ba", "99999999"));
                yield as(user).send(
                                "PATCH",
                                server.at(own),
                                "application/json-patch+json",
                                "[{\"op\":\"replace\",\"path\":\"/metadata/ownerReferences/0/uid\",\"value\":\"1b4e28ba-2fa1-11d2-883f-0016d3cca427\"}]");
            }
            case "dry" ->
                as(user).send(
                                "PATCH",
                                server.at(own + "?dryRun=All"),
                                MERGE,
                                "{\"metadata\":{\"ownerReferences\":" + owners + "}}");
            default ->
                as(user).send("PATCH", server.at(own + "?fieldManager=m"), "application/apply-patch+yaml", object);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "create,false",
        "create,true",
        "apply-create,false",
        "apply-create,true",
        "generate,false",
        "generate,true",
        "dry,true",
        "update,false",
        "update,true",
        "merge,false",
        "merge,true",
        "strategic,false",
        "json,false",
        "json,true",
        "apply,false",
        "apply,true",
        "dry,false"
    })
    void ownerReferencesRequireThePermissionToDelete(String way, boolean custom) throws IOException {
        String collection = custom ? WIDGETS : SECRETS;
        String name = way + "-" + custom;
        HttpResponse<String> rejected = write("writer", way, collection, "w-" + name, "[" + owner("o", false) + "]");
        assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(403);
        assertThat(rejected.body()).contains(CANT_DELETE.substring(1));
        HttpResponse<String> written = write("deleter", way, collection, "d-" + name, "[" + owner("o", false) + "]");
        assertThat(written.statusCode()).as(written.body()).isBetween(200, 201);
        HttpResponse<String> blocking = write("deleter", way, collection, "b-" + name, "[" + owner("o", true) + "]");
        assertThat(blocking.statusCode()).as(blocking.body()).isEqualTo(403);
        assertThat(blocking.body()).contains(CANT_FINALIZE.substring(1));
        HttpResponse<String> finalized = write("finalizer", way, collection, "f-" + name, "[" + owner("o", true) + "]");
        assertThat(finalized.statusCode()).as(finalized.body()).isBetween(200, 201);
    }

    /** As in kube-apiserver, whether or not the object exists. */
    @Test
    void unknownSubresourceOfACustomObjectNamesTheObject() throws IOException {
        HttpResponse<String> answer =
                server.client().get(server.at("/apis/example.com/v1/namespaces/default/widgets/w/none"));
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(JSON.readTree(answer.body()).path("message").asText())
                .isEqualTo("widgets.example.com \"w\" not found");
    }

    /** All members of a reference are significant: a permitted one must not be changed to another owner. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "other-name,   `\"mine\"`,                                  `\"theirs\"`",
                "other-kind,   `\"ConfigMap\"`,                             `\"Secret\"`",
                "other-group,  `\"v1\",\"kind\":\"ConfigMap\"`,             `\"rbac.authorization.k8s.io/v1\",\"kind\":\"ClusterRole\"`",
                "other-version, `\"v1\"`,                                   `\"v2\"`",
            })
    void blockingReferenceRequiresPermissionForEachOwner(String name, String from, String to) throws IOException {
        String configMap = "/api/v1/namespaces/default/configmaps/mine?fieldManager=m";
        String uid = JSON.readTree(server.client()
                        .send(
                                "PATCH",
                                server.at(configMap),
                                "application/apply-patch+yaml",
                                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"mine\"}}")
                        .body())
                .at("/metadata/uid")
                .asText();
        String own = owner("mine", true).replace("1b4e28ba-2fa1-11d2-883f-0016d3cca427", uid);
        HttpResponse<String> created = write("own-finalizer", "create", SECRETS, name, "[" + own + "]");
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        HttpResponse<String> rejected = owned(name, "[" + own.replace(from, to) + "]");
        assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(403);
        HttpResponse<String> withSecondOwner = owned(name, "[" + owner("o", false) + "," + own + "]");
        assertThat(withSecondOwner.statusCode()).as(withSecondOwner.body()).isEqualTo(200);
    }

    private static HttpResponse<String> owned(String secret, String owners) throws IOException {
        return as("own-finalizer")
                .send(
                        "PATCH",
                        server.at(SECRETS + "/" + secret),
                        MERGE,
                        "{\"metadata\":{\"ownerReferences\":" + owners + "}}");
    }

    private static final String POD =
            "{\"metadata\":{\"name\":\"part\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /api/v1/namespaces/part                                | finalize
        /api/v1/namespaces/part                                | status
        /api/v1/namespaces/default/pods/part                   | status
        /api/v1/namespaces/default/pods/part                   | ephemeralcontainers
        /api/v1/namespaces/default/pods/part                   | resize
        /apis/apps/v1/namespaces/default/deployments/part      | status
        /apis/apps/v1/namespaces/default/deployments/part      | scale
        /apis/policy/v1/namespaces/default/poddisruptionbudgets/part | status
        /apis/example.com/v1/namespaces/default/widgets/part   | status
        /apis/example.com/v1/namespaces/default/widgets/part   | scale
        """)
    void ownersCannotBeAddedThroughSubresources(String at, String part) throws IOException {
        String collection = at.substring(0, at.lastIndexOf('/'));
        if (server.client().get(server.at(at)).statusCode() == 404) {
            admin(
                    "POST",
                    collection,
                    collection.endsWith("pods")
                            ? POD
                            : collection.endsWith("deployments")
                                    ? """
                                    {"metadata":{"name":"part"},"spec":{"selector":{"matchLabels":{"a":"b"}},
                                     "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}\
                                    """
                                    : collection.endsWith("widgets")
                                            ? "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"part\"},\"spec\":{\"replicas\":1}}"
                                            : "{\"metadata\":{\"name\":\"part\"}}");
        }
        String path = at + "/" + part + "?fieldManager=m";
        String owners = "[" + owner("o", false) + "]";
        HttpResponse<String> present = server.client().get(server.at(part.equals("scale") ? path : at));
        ObjectNode sent = (ObjectNode) JSON.readTree(present.body());
        sent.withObject("/metadata").set("ownerReferences", JSON.readTree(owners));
        refusedOrIgnored(at, as("parts").send("PUT", server.at(path), sent.toString()));
        sent.withObject("/metadata").remove(List.of("managedFields", "resourceVersion"));
        refusedOrIgnored(
                at,
                as("parts")
                        .send(
                                "PATCH",
                                server.at(path + "&force=true"),
                                "application/apply-patch+yaml",
                                sent.toString()));
        refusedOrIgnored(
                at,
                as("parts")
                        .send("PATCH", server.at(path), MERGE, "{\"metadata\":{\"ownerReferences\":" + owners + "}}"));
        refusedOrIgnored(
                at,
                as("parts")
                        .send(
                                "PATCH",
                                server.at(path),
                                "application/json-patch+json",
                                "[{\"op\":\"add\",\"path\":\"/metadata/ownerReferences\",\"value\":" + owners + "}]"));
    }

    private static void refusedOrIgnored(String at, HttpResponse<String> answer) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isLessThan(500);
        assertThat(JSON.readTree(server.client().get(server.at(at)).body()).at("/metadata/ownerReferences"))
                .as(answer.body())
                .isEmpty();
    }

    @Test
    void onlyOwnerChangesRequirePermission() throws IOException {
        String uid = admin("POST", "/api/v1/namespaces/default/configmaps", "{\"metadata\":{\"name\":\"o\"}}")
                .at("/metadata/uid")
                .asText();
        admin(
                "POST",
                SECRETS,
                "{\"metadata\":{\"name\":\"owned\",\"ownerReferences\":["
                        + owner("o", true).replace("1b4e28ba-2fa1-11d2-883f-0016d3cca427", uid) + "]}}");
        String at = SECRETS + "/owned";
        HttpResponse<String> label =
                as("writer").send("PATCH", server.at(at), MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(label.statusCode()).as(label.body()).isEqualTo(200);
        HttpResponse<String> removal =
                as("writer").send("PATCH", server.at(at), MERGE, "{\"metadata\":{\"ownerReferences\":null}}");
        assertThat(removal.statusCode()).as(removal.body()).isEqualTo(403);
        HttpResponse<String> unknown = write(
                "finalizer",
                "create",
                SECRETS,
                "unknown",
                "[" + owner("o", true).replace("ConfigMap", "Nothing") + "]");
        assertThat(unknown.statusCode()).as(unknown.body()).isEqualTo(403);
        assertThat(unknown.body())
                .contains("cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion v1"
                        + " Kind Nothing");
    }

    private static String request(String subject, String signer, String name) {
        return request(pem(new X500Name(subject)).getBytes(StandardCharsets.US_ASCII), signer, name);
    }

    private static String request(byte[] pem, String signer, String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"spec\":{\"signerName\":\"" + signer
                + "\",\"usages\":[\"client auth\"],\"request\":\""
                + Base64.getEncoder().encodeToString(pem)
                + "\"},\"status\":{\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\"}]}}";
    }

    private static String pem(X500Name subject) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            KeyPair pair = generator.generateKeyPair();
            var signed = new JcaPKCS10CertificationRequestBuilder(subject, pair.getPublic())
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
            StringWriter text = new StringWriter();
            try (JcaPEMWriter pem = new JcaPEMWriter(text)) {
                pem.writeObject(signed);
            }
            return text.toString().replace("\r", "");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final String MASTERS = "system:masters";

    private static String masters(ASN1Encodable organization) {
        return pem(new X500NameBuilder()
                .addRDN(BCStyle.CN, "a")
                .addRDN(BCStyle.O, "dev")
                .addRDN(BCStyle.O, organization)
                .build());
    }

    /** The same organization, in every encoding that some signer may accept. */
    static Map<String, String> disguises() {
        String plain = pem(new X500Name("CN=a,O=dev"));
        String hidden = masters(new DERUTF8String(MASTERS));
        String broken = plain.replaceFirst("\n.{20}", "\n!!!!!!!!!!!!!!!!!!!!");
        Map<String, String> all = new TreeMap<>();
        all.put("utf8", hidden);
        all.put("printable", masters(new DERPrintableString(MASTERS)));
        all.put("bmp", masters(new DERBMPString(MASTERS)));
        all.put("t61", masters(new DERT61String(MASTERS)));
        all.put("ia5", masters(new DERIA5String(MASTERS)));
        all.put("universal", masters(new DERUniversalString(MASTERS.getBytes(Charset.forName("UTF-32BE")))));
        all.put("leading-text", "Subject: a\n\n" + hidden);
        all.put("second-block", plain + hidden);
        all.put("behind-a-broken-block", plain + broken + hidden);
        // Go only finds a PEM block at the beginning of a line, and only a line feed ends a line.
        all.put("behind-carriage-returns", "x" + ("\n" + plain + broken).replace('\n', '\r') + "\n" + hidden);
        all.put("behind-an-unfinished-line", plain + "-----BEGIN x\n" + hidden);
        all.put("behind-another-type", plain + plain.replace(" REQUEST", "") + hidden);
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "utf8",
                "printable",
                "bmp",
                "t61",
                "ia5",
                "universal",
                "leading-text",
                "second-block",
                "behind-a-broken-block",
                "behind-carriage-returns",
                "behind-an-unfinished-line",
                "behind-another-type"
            })
    void mastersRequestIsDetectedInAnySpelling(String disguise) throws IOException {
        byte[] pem = String.valueOf(disguises().get(disguise)).getBytes(StandardCharsets.US_ASCII);
        HttpResponse<String> answer = as("writer")
                .post(server.at(REQUESTS), request(pem, "kubernetes.io/kube-apiserver-client", "hidden-" + disguise));
        assertThat(answer.statusCode()).as(answer.body()).isIn(403, 422);
    }

    @Test
    void signingRequestsAreNeverCreatedApproved() throws IOException {
        String way = server.at(REQUESTS + "/pre?fieldManager=m").toString();
        String object = request("CN=x", "example.com/a", "pre")
                .replaceFirst(
                        "\\{", "{\"apiVersion\":\"certificates.k8s.io/v1\",\"kind\":\"CertificateSigningRequest\",");
        for (HttpResponse<String> answer : List.of(
                as("writer").send("PATCH", URI.create(way), "application/apply-patch+yaml", object),
                as("writer").send("PUT", URI.create(way), object))) {
            assertThat(JSON.readTree(answer.body()).at("/status/conditions"))
                    .as(answer.body())
                    .isEmpty();
        }
        HttpResponse<String> masters = as("writer")
                .send(
                        "PATCH",
                        server.at(REQUESTS + "/applied?fieldManager=m"),
                        "application/apply-patch+yaml",
                        request("O=" + MASTERS, "kubernetes.io/kube-apiserver-client", "applied")
                                .replaceFirst(
                                        "\\{",
                                        "{\"apiVersion\":\"certificates.k8s.io/v1\",\"kind\":\"CertificateSigningRequest\","));
        assertThat(masters.statusCode()).as(masters.body()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "O=system:masters,            kubernetes.io/kube-apiserver-client, 403",
        "'CN=a,O=dev+O=system:masters', kubernetes.io/kube-apiserver-client, 403",
        "O=dev,                       kubernetes.io/kube-apiserver-client, 201",
        "CN=system:masters,           kubernetes.io/kube-apiserver-client, 201",
        "O=system:masters,            example.com/a,                       201",
    })
    void nobodyRequestsACertificateOfTheMasters(String subject, String signer, int code) throws IOException {
        String name = "subject-" + Integer.toHexString((subject + signer).hashCode());
        HttpResponse<String> answer = as("writer").post(server.at(REQUESTS), request(subject, signer, name));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        if (code == 403) {
            assertThat(answer.body())
                    .contains("certificatesigningrequests.certificates.k8s.io \\\"" + name
                            + "\\\" is forbidden: use of kubernetes.io/kube-apiserver-client signer with"
                            + " system:masters group is not allowed");
        } else {
            assertThat(JSON.readTree(answer.body()).at("/status/conditions"))
                    .as("a request cannot be created approved")
                    .isEmpty();
        }
    }

    private static String requested(String name) throws IOException {
        admin("POST", REQUESTS, request("CN=x", "example.com/a", name));
        return REQUESTS + "/" + name;
    }

    private static final String APPROVED =
            "{\"status\":{\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"r\",\"message\":\"m\"}]}}";

    @ParameterizedTest
    @CsvSource({"writer,403", "sign-domain,403", "approve-other,403", "approve-exactly,200", "approve-domain,200"})
    void approvalRequiresTheSignerPermission(String user, int code) throws IOException {
        String at = requested("approved-by-" + user) + "/approval";
        HttpResponse<String> answer = as(user).send("PATCH", server.at(at), MERGE, APPROVED);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        if (code == 403) {
            assertThat(answer.body())
                    .contains("user not permitted to approve requests with signerName \\\"example.com/a\\\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"writer,403", "approve-domain,403", "sign-other,403", "sign-exactly,200", "sign-domain,200"})
    void signingRequiresTheSignerPermission(String user, int code) throws IOException {
        String at = requested("signed-by-" + user) + "/status";
        for (String status : List.of(
                "{\"status\":{\"certificate\":\"YQ==\"}}",
                "{\"status\":{\"conditions\":[{\"type\":\"Failed\",\"status\":\"True\"}]}}")) {
            HttpResponse<String> answer = as(user).send("PATCH", server.at(at), MERGE, status);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
            if (code == 403) {
                assertThat(answer.body())
                        .contains("user not permitted to sign requests with signerName \\\"example.com/a\\\"");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        application/merge-patch+json           | {"status":{"certificate":"YQ=="}}
        application/merge-patch+json           | {"status":{"conditions":[{"type":"Failed","status":"True"}]}}
        application/merge-patch+json           | {"status":{"conditions":null}}
        application/merge-patch+json           | {"status":null}
        application/merge-patch+json           | {"status":{"conditions":[{"type":"Approved","status":"True","reason":"mine"}]}}
        application/merge-patch+json           | {"status":{"conditions":[{"type":"Denied","status":"True"}]}}
        application/strategic-merge-patch+json | {"status":{"conditions":[{"type":"Failed","status":"True"}]}}
        application/strategic-merge-patch+json | {"status":{"conditions":[{"type":"Denied","status":"True"}]}}
        application/strategic-merge-patch+json | {"status":{"conditions":[{"type":"Approved","$patch":"delete"}]}}
        application/strategic-merge-patch+json | {"status":{"conditions":[{"type":"Approved","reason":"mine"}]}}
        application/json-patch+json            | [{"op":"replace","path":"/status/conditions","value":[]}]
        application/json-patch+json            | [{"op":"add","path":"/status/conditions/0","value":{"type":"Denied","status":"True"}}]
        application/json-patch+json            | [{"op":"remove","path":"/status"}]
        application/apply-patch+yaml           | {"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","status":{"conditions":[{"type":"Failed","status":"True"}]}}
        application/apply-patch+yaml           | {"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","status":{"conditions":[{"type":"Denied","status":"True"}]}}
        """)
    void statusUpdateKeepsApprovalConditions(String type, String patch) throws IOException {
        String at = requested("kept-" + Integer.toHexString((type + patch).hashCode()));
        JsonNode approved = JSON.readTree(server.client()
                .send("PATCH", server.at(at + "/approval"), MERGE, APPROVED)
                .body());
        assertThat(approved.at("/status/conditions/0/type").asText()).isEqualTo("Approved");
        HttpResponse<String> answer = as("sign-exactly")
                .send(
                        "PATCH",
                        server.at(at + "/status?fieldManager=m" + (type.contains("apply") ? "&force=true" : "")),
                        type,
                        patch);
        JsonNode after = JSON.readTree(server.client().get(server.at(at)).body());
        List<JsonNode> answers = after.at("/status/conditions")
                .valueStream()
                .filter(condition -> !condition.path("type").asText().equals("Failed"))
                .toList();
        assertThat(answers).as(answer.body()).containsExactly(approved.at("/status/conditions/0"));
    }

    /** A denial would disclose parameters to the denied user. */
    @ParameterizedTest
    @CsvSource({
        "stranger,  403, 403",
        "policies,  422, 422",
        "one,       422, 201",
        "kind,      201, 201",
    })
    void policiesReadTheParametersThatTheirAuthorsMay(String user, int policy, int binding) throws IOException {
        String registration = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
        String writer = "{\"apiGroups\":[\"admissionregistration.k8s.io\"],\"resources\":[\"*\"],\"verbs\":[\"*\"]}";
        String reads = "{\"apiGroups\":[\"\"],\"resources\":[\"secrets\"],\"verbs\":[\"get\"]";
        String name = "params-" + user;
        switch (user) {
            case "policies" -> grant(name, writer);
            case "one" -> grant(name, writer + "," + reads + ",\"resourceNames\":[\"settings\"]}");
            case "kind" -> grant(name, writer + "," + reads + "}");
            default -> {}
        }
        String spec =
                "\"spec\":{\"paramKind\":{\"apiVersion\":\"v1\",\"kind\":\"Secret\"},\"validations\":[{\"expression\":\"true\"}],"
                        + "\"matchConstraints\":{\"resourceRules\":[{\"apiGroups\":[\"\"],\"apiVersions\":[\"v1\"],\"operations\":[\"*\"],"
                        + "\"resources\":[\"limitranges\"]}]}}}";
        admin("POST", registration + "ies", "{\"metadata\":{\"name\":\"known-" + user + "\"}," + spec);
        HttpResponse<String> created = as(name).send(
                        "POST", server.at(registration + "ies"), "{\"metadata\":{\"name\":\"" + name + "\"}," + spec);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(policy);
        String reference =
                "\"paramRef\":{\"name\":\"settings\",\"namespace\":\"default\",\"parameterNotFoundAction\":\"Allow\"}";
        for (String bound : List.of("known-" + user, "absent")) {
            HttpResponse<String> tied = as(name).send(
                            "POST",
                            server.at(registration + "ybindings"),
                            "{\"metadata\":{\"name\":\"" + name + "-" + bound + "\"},\"spec\":{\"policyName\":\""
                                    + bound + "\",\"validationActions\":[\"Deny\"]," + reference + "}}");
            boolean known = !bound.equals("absent");
            assertThat(tied.statusCode()).as(tied.body()).isEqualTo(known || binding != 201 ? binding : 422);
            if (tied.statusCode() == 422) {
                assertThat(tied.body()).contains("spec.paramRef: Forbidden");
            }
        }
        if (binding == 422) {
            admin(
                    "POST",
                    registration + "ybindings",
                    "{\"metadata\":{\"name\":\"own-" + user + "\"},\"spec\":{\"policyName\":\"known-" + user
                            + "\",\"validationActions\":[\"Deny\"]}}");
            HttpResponse<String> patched = as(name).send(
                            "PATCH",
                            server.at(registration + "ybindings/own-" + user),
                            MERGE,
                            "{\"spec\":{" + reference + "}}");
            assertThat(patched.statusCode()).as(patched.body()).isEqualTo(422);
        }
        if (policy == 422) {
            HttpResponse<String> reveals = as(name).send(
                            "PATCH",
                            server.at(registration + "ies/known-" + user),
                            MERGE,
                            "{\"spec\":{\"validations\":[{\"expression\":\"false\",\"messageExpression\":"
                                    + "\"string(params.data.key)\"}]}}");
            assertThat(reveals.statusCode()).as(reveals.body()).isEqualTo(422);
            assertThat(reveals.body()).contains("spec.paramKind: Forbidden");
        }
    }
}
