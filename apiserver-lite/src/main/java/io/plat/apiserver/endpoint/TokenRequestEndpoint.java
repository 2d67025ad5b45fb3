package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.authentication.AccountName;
import io.plat.apiserver.authentication.account.AccountClaims;
import io.plat.apiserver.authentication.account.AccountClaims.ObjectReference;
import io.plat.apiserver.authentication.account.TokenIssuer;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.operations.AdmissionRequest;
import io.plat.apiserver.operations.OperationBody;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * {@code serviceaccounts/NAME/token}: issues a token for a service account, bound to the object that the request names, which must exist
 * and match its uid.
 */
record TokenRequestEndpoint(
        DocumentResponse.BodyReader bodies,
        ResourceOperations operations,
        TokenIssuer issuer,
        ObjectIdentity identity,
        Function<String, Optional<ResourceType>> coreTypes) {
    static final String SUBRESOURCE = "token";

    private static final String GROUP = "authentication.k8s.io";
    private static final ResourceType REQUESTS = ResourceType.unstored(
            new ResourceType.Id(GROUP, "v1", "tokenrequests"),
            "TokenRequest",
            "tokenrequest",
            List.of("create"),
            List.of());
    private static final TypeMeta TYPE = new TypeMeta(REQUESTS.apiVersion(), REQUESTS.kind());

    private static final String ISSUED = "authentication.kubernetes.io/issued-credential-id";

    /** Maximum length of audiences; a longer token would fit into no header. */
    private static final int MAX_AUDIENCE_LENGTH = 8192;

    ApiResponse answer(Call call, ResourceType accounts, ResourceAttributes access) throws StatusException {
        DocumentResponse response = DocumentResponse.to(call, TYPE);
        OperationBody sent = bodies.read(call, REQUESTS);
        object(coreTypes.apply("namespaces").orElseThrow(), "", access.namespace());
        requireSameName(sent, access);
        JsonNode account = object(accounts, access.namespace(), access.name());
        List<String> audiences = Json.texts(sent.object().at("/spec/audiences"));
        if (audiences.isEmpty()) {
            audiences = issuer.settings().audiences();
        }
        long seconds = sent.object().at("/spec/expirationSeconds").asLong();
        requireValid(sent, audiences);
        operations.admit(AdmissionRequest.of(
                AdmissionRequest.Operation.CREATE,
                new Target(accounts, access.namespace(), access.name()),
                SUBRESOURCE,
                admitted(access, sent, audiences, seconds),
                null,
                // As in Kubernetes a token is issued in a dry run too, which is therefore not reported to policies.
                false,
                new WriteRequestParser.CallRequester(call)));
        AccountClaims claims =
                bound(AccountClaims.of(new AccountName(access.namespace(), access.name()), uid(account)), sent, access);
        long maxSeconds = issuer.settings().maxSeconds();
        long granted = maxSeconds > 0 ? Math.min(seconds, maxSeconds) : seconds;
        TokenIssuer.IssuedToken token = issuer.issue(claims, audiences, granted);
        // The same value is among the extra fields of the token's user.
        call.audit(record -> record.addAnnotation(ISSUED, "JTI=" + token.id()));
        if (granted != seconds) {
            call.warn("requested expiration of " + seconds + " seconds shortened to " + granted + " seconds");
        }
        ObjectNode document = document(access, sent, audiences, granted, token);
        Json.child(document, "metadata").setAll(sent.metadata());
        return response.of(201, document);
    }

    private static ObjectNode admitted(
            ResourceAttributes access, OperationBody sent, List<String> audiences, long seconds) {
        ObjectNode object = sent.object().deepCopy();
        object.put("kind", TYPE.kind()).put("apiVersion", TYPE.apiVersion());
        object.withObject("/metadata").put("name", access.name()).put("namespace", access.namespace());
        ObjectNode spec = object.withObject("/spec").put("expirationSeconds", seconds);
        Json.putTexts(spec, "audiences", audiences);
        return object;
    }

    private static void requireSameName(OperationBody sent, ResourceAttributes access) throws StatusException {
        String name = Json.text(sent.metadata(), "name");
        requireNone(access.name(), causes -> {
            if (!name.isEmpty() && !name.equals(access.name())) {
                causes.field("metadata.name", name).invalid("must match the service account name if specified");
            }
        });
    }

    private static void requireValid(OperationBody sent, List<String> audiences) throws StatusException {
        requireNone("", causes -> {
            if (audiences.stream().mapToInt(String::length).sum() > MAX_AUDIENCE_LENGTH) {
                causes.field("spec.audiences", "").tooLong(MAX_AUDIENCE_LENGTH);
            }
            Rules.check("tokenrequests", Field.of(sent.object(), causes));
        });
    }

    private static String quoted(String text) {
        return '"' + text.substring(0, Math.min(text.length(), 253)) + '"';
    }

    private static void requireNone(String name, Consumer<Causes> checks) throws StatusException {
        List<Cause> causes = Causes.of(checks);
        if (!causes.isEmpty()) {
            throw ApiErrors.invalid(GROUP, TYPE.kind(), name, causes);
        }
    }

    private JsonNode object(ResourceType type, String namespace, String name) throws StatusException {
        return operations.get(new Target(type, namespace, name), "").object().tree();
    }

    private static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asText();
    }

    private AccountClaims bound(AccountClaims account, OperationBody sent, ResourceAttributes access)
            throws StatusException {
        JsonNode reference = sent.object().at("/spec/boundObjectRef");
        if (!reference.isObject()) {
            return account;
        }
        String version = Json.text(reference, "apiVersion");
        String kind = Json.text(reference, "kind");
        String resource = version.contains("/")
                ? ""
                : switch (kind) {
                    case "Pod" -> "pods";
                    case "Secret" -> "secrets";
                    case "Node" -> "nodes";
                    default -> "";
                };
        if (resource.isEmpty()) {
            String groupVersion = version.contains("/") ? version : "/" + version;
            throw ApiErrors.badRequest("cannot bind token to object of type " + groupVersion + ", Kind=" + kind);
        }
        String name = Json.text(reference, "name");
        ResourceType type = coreTypes.apply(resource).orElseThrow(() -> notFound(resource, name));
        if (name.isEmpty()) {
            throw ApiErrors.badRequest("Name parameter required.");
        }
        JsonNode object = object(type, access.namespace(), name);
        String node = "";
        if (kind.equals("Pod")) {
            requireOwnPod(object, access.name());
            node = object.path("spec").path("nodeName").asText("");
        }
        requireSameUid(Json.text(reference, "uid"), object, kind);
        ObjectReference owner = new ObjectReference(name, uid(object));
        return kind.equals("Pod") ? account.toPod(owner, node) : account.toSecret(owner);
    }

    /** Returns 404 for a missing object, such as a node: this server has none. */
    private static StatusException notFound(String resource, String name) {
        return new StatusException(Status.of(StatusReason.NOT_FOUND, resource + " \"" + name + "\" not found")
                .withDetails(Details.about("", resource, name)));
    }

    private static void requireOwnPod(JsonNode pod, String account) throws StatusException {
        String podAccount = pod.path("spec").path("serviceAccountName").asText("default");
        if (!podAccount.equals(account)) {
            throw ApiErrors.badRequest("cannot bind token for serviceaccount " + quoted(account)
                    + " to pod running with different serviceaccount name.");
        }
    }

    private static void requireSameUid(String intended, JsonNode object, String kind) throws StatusException {
        if (!intended.isEmpty() && !intended.equals(uid(object))) {
            String name = object.path("metadata").path("name").asText();
            throw new StatusException(Status.of(
                            StatusReason.CONFLICT,
                            "Operation cannot be fulfilled on " + kind + " \"" + name
                                    + "\": the UID in the bound object reference (" + intended
                                    + ") does not match the UID in record. The object might have been deleted and then"
                                    + " recreated")
                    .withDetails(Details.about("", kind, name)));
        }
    }

    private ObjectNode document(
            ResourceAttributes access,
            OperationBody sent,
            List<String> audiences,
            long seconds,
            TokenIssuer.IssuedToken token) {
        ObjectNode document = DocumentResponse.empty(TYPE);
        document.putObject("metadata")
                .put("name", access.name())
                .put("namespace", access.namespace())
                .put("uid", identity.uid())
                .put("creationTimestamp", identity.now());
        ObjectNode spec = document.putObject("spec");
        Json.putTexts(spec, "audiences", audiences);
        spec.put("expirationSeconds", seconds);
        JsonNode reference = sent.object().at("/spec/boundObjectRef");
        spec.set("boundObjectRef", reference.isObject() ? reference : JsonNodeFactory.instance.nullNode());
        document.putObject("status")
                .put("token", token.text())
                .put("expirationTimestamp", token.expiry().toString());
        return document;
    }
}
