package io.plat.apiserver.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.expression.Expressions;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.objects.ServiceNetworks;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** The operations on an in-memory store, called by paths and JSON texts, so that tests read like requests. */
public final class Api implements AutoCloseable {
    /** A response, successful or not. */
    public record Answer(int code, ObjectNode body, List<String> warnings) {
        public String message() {
            return body.path("message").asText();
        }

        public JsonNode metadata() {
            return body.path("metadata");
        }
    }

    public final ObjectStore store;
    public final ResourceCatalog catalog = ResourceCatalog.builtIn();
    public final ResourceOperations operations;

    public Api() {
        this(EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT)));
    }

    public Api(ObjectStore store) {
        this(store, new ObjectIdentity(Clock.systemUTC(), new Random(1)));
    }

    public Api(ObjectStore store, ObjectIdentity identities) {
        this(store, identities, AdmissionCheck.NONE);
    }

    public Api(ObjectStore store, ObjectIdentity identities, AdmissionCheck admission) {
        this.store = store;
        try {
            var settings = new ResourceOperations.Settings(
                    ContinueTokens.DEFAULT_TTL, ServiceNetworks.DEFAULT, new Expressions(), admission);
            operations = ResourceOperations.start(store, catalog, DynamicTypes.NONE, identities, settings);
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Denies the deletion of objects with a name while a condition holds. */
    public static AdmissionCheck keeping(String name, BooleanSupplier condition) {
        return new AdmissionCheck() {
            @Override
            public boolean applies(Snapshot snapshot) {
                return condition.getAsBoolean();
            }

            @Override
            public void admit(AdmissionRequest request, Snapshot snapshot) throws StatusException {
                if (request.operation() == AdmissionRequest.Operation.DELETE
                        && request.name().equals(name)) {
                    String user = request.requester().user().name();
                    throw ApiErrors.forbidden(request.resource(), name, "kept from " + user, List.of());
                }
            }
        };
    }

    /** Parses an API path. */
    public Target target(String path) {
        String[] parts = path.substring(1).split("/", -1);
        boolean core = parts[0].equals("api");
        String group = core ? "" : parts[1];
        String version = parts[core ? 1 : 2];
        int at = core ? 2 : 3;
        boolean inside = parts[at].equals("namespaces") && parts.length > at + 2;
        String namespace = inside ? parts[at + 1] : "";
        int resource = inside ? at + 2 : at;
        String name = parts.length > resource + 1 ? parts[resource + 1] : "";
        return new Target(catalog.find(group, version, parts[resource]).orElseThrow(), namespace, name);
    }

    public Answer post(String path, String body) {
        return post(path, body, WriteOptions.DEFAULT);
    }

    public Answer post(String path, String body, WriteOptions options) {
        Target target = target(path);
        return answer(() -> operations.create(target, ObjectBody.json(target.type(), body.getBytes(UTF_8)), options));
    }

    public Answer put(String path, String body) {
        return put(path, body, WriteOptions.DEFAULT);
    }

    public Answer put(String path, String body, WriteOptions options) {
        Target target = target(path);
        return answer(() -> operations.update(target, ObjectBody.json(target.type(), body.getBytes(UTF_8)), options));
    }

    public Answer patch(String path, PatchFormat format, String patch) {
        return patch(path, format, patch, WriteOptions.DEFAULT);
    }

    public Answer patch(String path, PatchFormat format, String patch, WriteOptions options) {
        return answer(() -> operations.patch(target(path), null, format, patch.getBytes(UTF_8), options));
    }

    /** Applies an object as a manager. */
    public Answer apply(String path, String manager, String config, boolean force) {
        WriteOptions options =
                new WriteOptions(false, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, manager, force, null);
        return apply(path, config, options);
    }

    public Answer apply(String path, String config, WriteOptions options) {
        Target target = target(path);
        return answer(() -> operations.apply(
                target, null, ObjectBody.json(target.type(), config.getBytes(UTF_8)), options, WriteCheck.NONE));
    }

    public Answer get(String path) {
        Target target = target(path);
        return answer(() ->
                target.name().isEmpty() ? operations.list(target, ListOptions.DEFAULT) : operations.get(target, ""));
    }

    public Answer list(String path, ListOptions options) {
        return answer(() -> operations.list(target(path), options));
    }

    public Answer delete(String path) {
        return delete(path, DeleteOptions.DEFAULT);
    }

    public Answer delete(String path, DeleteOptions options) {
        return answer(() -> operations.delete(target(path), options));
    }

    /** Creates an object that a test depends on. */
    public ObjectNode given(String path, String body) {
        Answer answer = post(path, body);
        assertThat(answer.code()).as(answer.body().toString()).isEqualTo(201);
        return answer.body();
    }

    public interface Call {
        Result run() throws StatusException;
    }

    public Answer answer(Call call) {
        try {
            return answer(call.run());
        } catch (StatusException e) {
            return new Answer(e.status().code(), failure(e.status()), List.of());
        }
    }

    private static Answer answer(Result result) throws StatusException {
        return switch (result) {
            case Result.One one ->
                new Answer(one.code(), withoutOwners(tree(one.object().json())), one.warnings());
            case Result.Many many -> new Answer(many.code(), withoutOwners(tree(shown(many.list()))), List.of());
            case Result.Deleted deleted -> new Answer(deleted.code(), success(deleted), List.of());
        };
    }

    /** Every write has managers with times; only tests of managedFields show them. */
    private static ObjectNode withoutOwners(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        object.path("items").forEach(item -> withoutOwners((ObjectNode) item));
        return object;
    }

    /** Returns the field managers of an object: {@code NAME OPERATION PART} and the fields. */
    public Map<String, JsonNode> owners(String path) {
        var owners = new TreeMap<String, JsonNode>();
        try {
            for (JsonNode entry : operations
                    .get(target(path), "")
                    .object()
                    .tree()
                    .path("metadata")
                    .path("managedFields")) {
                assertThat(entry.path("fieldsType").asText()).isEqualTo("FieldsV1");
                String who = entry.path("manager").asText() + " "
                        + entry.path("operation").asText() + " "
                        + entry.path("subresource").asText();
                assertThat(owners.put(who.strip(), entry.path("fieldsV1")))
                        .as(who)
                        .isNull();
            }
            return owners;
        } catch (StatusException e) {
            throw new IllegalStateException(e.status().message(), e);
        }
    }

    private static byte[] shown(ServedList list) throws StatusException {
        return Negotiation.objects(Preferences.NONE, list.type()).list(list).bytes();
    }

    public static ObjectNode tree(byte[] json) {
        try {
            return (ObjectNode) Json.MAPPER.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static ObjectNode tree(String json) {
        return tree(json.getBytes(UTF_8));
    }

    private static ObjectNode success(Result.Deleted deleted) {
        ObjectNode body = status("Success");
        ObjectNode details = body.putObject("details");
        putFull(details, "name", deleted.name());
        putFull(details, "group", deleted.group());
        putFull(details, "kind", deleted.resource());
        putFull(details, "uid", deleted.uid());
        return body;
    }

    private static ObjectNode status(String status) {
        ObjectNode body = Json.object().put("kind", "Status").put("apiVersion", "v1");
        body.putObject("metadata");
        return body.put("status", status);
    }

    /** A failure in JSON, encoded here independently, so that the comparison does not depend on another codec. */
    private static ObjectNode failure(Status status) {
        ObjectNode body = status("Failure");
        putFull((ObjectNode) body.path("metadata"), "continue", status.continueToken());
        body.put("message", status.message());
        body.put("reason", status.reason().word());
        Status.Details details = status.details();
        if (details != null) {
            ObjectNode object = body.putObject("details");
            putFull(object, "name", details.name());
            putFull(object, "group", details.group());
            putFull(object, "kind", details.kind());
            putFull(object, "uid", details.uid());
            for (Status.Cause cause : details.causes()) {
                ObjectNode one = object.withArray("causes").addObject();
                putFull(one, "reason", cause.reason());
                putFull(one, "message", cause.message());
                putFull(one, "field", cause.field());
            }
            if (details.retryAfterSeconds() > 0) {
                object.put("retryAfterSeconds", details.retryAfterSeconds());
            }
        }
        return body.put("code", status.code());
    }

    private static void putFull(ObjectNode object, String field, String value) {
        if (!value.isEmpty()) {
            object.put(field, value);
        }
    }

    @Override
    public void close() {
        operations.close();
        try {
            store.close();
        } catch (StorageException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a sent object with the apiVersion and kind of its type, which a client must send for custom types. */
    public static ParsedObject typed(ResourceType type, String json) throws StatusException {
        String members = json.substring(1);
        String meta = "{\"apiVersion\":\"" + type.apiVersion() + "\",\"kind\":\"" + type.kind() + "\"";
        boolean named = json.startsWith("{\"kind\"") || json.startsWith("{\"apiVersion\"");
        String text = named ? json : meta + (members.equals("}") ? "" : ",") + members;
        return ObjectBody.whole(type, text.getBytes(UTF_8));
    }
}
