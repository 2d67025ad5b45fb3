package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.View;
import io.plat.apiserver.custom.schema.IdentityCheck;
import io.plat.apiserver.custom.schema.Pruning;
import io.plat.apiserver.custom.schema.ValidationRules;
import io.plat.apiserver.custom.schema.ValueCheck;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.Defaulting;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ScaleFields;
import io.plat.apiserver.type.Schemas;
import io.plat.apiserver.type.TypeForm;
import io.plat.cel.text.RegularExpressions;
import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Version of a custom type, and the rules for its objects. Thread-safe. */
final class CustomType implements TypeForm {
    private static final String STATUS = "status";
    private static final String SCALE = "scale";
    private static final ResourceType.GroupVersionKind SCALES =
            new ResourceType.GroupVersionKind("autoscaling", "v1", "Scale");

    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

    private final CustomResourceDefinition definition;
    private final JsonNode version;
    private final ResourceType resourceType;
    private final boolean hasStatusSubresource;
    private final TypeSchema schema;
    private final TypeSchema structure;
    private final PrinterColumns columns;

    /** Always the same instance, so that objects are viewed once per version. */
    private final View view;

    private final boolean hasDefaults;

    /** Compiled when objects are first checked. */
    private volatile @Nullable ValidationRules rules;

    private volatile @Nullable String problem;

    /** @param before the previous state of this version, with the same schema; null if there is none */
    CustomType(CustomResourceDefinition definition, JsonNode version, @Nullable CustomType before) {
        this.definition = definition;
        this.version = version;
        this.hasStatusSubresource = version.path("subresources").has(STATUS);
        this.schema = before == null ? TypeSchema.of(version.path("schema").path("openAPIV3Schema")) : before.schema;
        this.structure = before == null ? Schemas.whole(schema) : before.structure;
        this.hasDefaults = Defaulting.any(schema);
        this.rules = before == null ? null : before.rules;
        this.problem = before == null ? null : before.problem;
        this.columns = PrinterColumns.of(version);
        this.view = isStored() ? View.whole(structure) : new View(structure, this::visibleFields);
        this.resourceType = describe();
    }

    private ResourceType describe() {
        JsonNode names = definition.status().path("acceptedNames");
        JsonNode requested = definition.spec().path("names");
        JsonNode known = names.path("plural").asText("").isEmpty() ? requested : names;
        List<String> verbs = definition.deleted()
                ? VERBS.stream().filter(verb -> !verb.equals("create")).toList()
                : VERBS;
        return new ResourceType(
                new ResourceType.Id(
                        definition.group(),
                        version.path("name").asText(),
                        requested.path("plural").asText()),
                requested.path("kind").asText(),
                known.path("singular").asText(""),
                definition.namespaced(),
                verbs,
                Json.texts(known.path("shortNames")),
                Json.texts(known.path("categories")),
                columns.columns(),
                subresources(),
                definition.identity(),
                TypeSchema.UNKNOWN,
                this);
    }

    private List<ResourceType.Subresource> subresources() {
        var parts = new ArrayList<ResourceType.Subresource>();
        List<String> verbs = List.of("get", "patch", "update");
        if (hasStatusSubresource) {
            parts.add(new ResourceType.Subresource(STATUS, verbs, Optional.empty()));
        }
        if (scale().isPresent()) {
            parts.add(new ResourceType.Subresource(SCALE, verbs, Optional.of(SCALES)));
        }
        return parts;
    }

    ResourceType resourceType() {
        return resourceType;
    }

    boolean isSameDefinition(@Nullable TypeForm other) {
        return other instanceof CustomType type && type.definition.since() == definition.since();
    }

    String version() {
        return version.path("name").asText();
    }

    boolean served() {
        return version.path("served").asBoolean();
    }

    @Override
    public TypeSchema structure() {
        return isStored() ? structure : definition.storedForm().structure;
    }

    @Override
    public View view(String apiVersion) {
        return definition.form(apiVersion.substring(apiVersion.indexOf('/') + 1)).view;
    }

    private JsonNode visibleFields(JsonNode stored) {
        if (!(stored instanceof ObjectNode object)) {
            return stored;
        }
        ObjectNode visible = object.deepCopy();
        prune(visible);
        return visible;
    }

    @Override
    public Optional<ScaleFields> scale() {
        JsonNode scale = version.path("subresources").path(SCALE);
        return scale.isObject()
                ? Optional.of(new ScaleFields(
                        scale.path("specReplicasPath").asText(),
                        scale.path("statusReplicasPath").asText(),
                        scale.path("labelSelectorPath").asText("")))
                : Optional.empty();
    }

    private ValidationRules rules() {
        @Nullable ValidationRules compiled = rules;
        if (compiled == null) {
            synchronized (this) {
                compiled = rules;
                if (compiled == null) {
                    compiled = ValidationRules.any(schema) ? ValidationRules.compile(schema) : ValidationRules.NONE;
                    rules = compiled;
                }
            }
        }
        return compiled;
    }

    void compile() {
        String[] problems = {rules().problem()};
        schema.any(node -> {
            String pattern =
                    RegularExpressions.problem(node.json().path("pattern").asText(""));
            problems[0] = problems[0].isEmpty() ? pattern : problems[0];
            return !problems[0].isEmpty();
        });
        problem = problems[0];
    }

    /** Returns the rule or pattern that does not compile; {@code ""} if all do, null before {@link #compile}. */
    @Nullable
    String problem() {
        return problem;
    }

    @Override
    public boolean normalizes() {
        return true;
    }

    @Override
    public List<String> normalize(ObjectNode object) {
        List<String> unknown = Pruning.prune(schema, object);
        applyDefaults(object);
        return unknown;
    }

    @Override
    public List<String> normalizeApplied(ObjectNode object) {
        return Pruning.prune(schema, object);
    }

    @Override
    public Map<FieldPath, JsonNode> embeddedMetadata(ObjectNode object) {
        return IdentityCheck.metadata(schema, object);
    }

    /** Applies defaults, which have no owner. */
    private void applyDefaults(ObjectNode object) {
        if (hasDefaults) {
            Defaulting.apply(schema, object);
        }
    }

    private boolean isStored() {
        return version().equals(definition.storageVersion());
    }

    @Override
    public String storedIn() {
        return definition.group() + "/" + definition.storageVersion();
    }

    @Override
    public ObjectNode store(ObjectNode served) {
        if (!isStored()) {
            definition.storedForm().convert(served);
        }
        return served;
    }

    @Override
    public ObjectNode storeApplied(ObjectNode served) {
        if (!isStored()) {
            definition.storedForm().prune(served);
        }
        return served;
    }

    /** Prunes fields that this version does not have. */
    private void prune(ObjectNode object) {
        @Nullable JsonNode metadata = object.remove("metadata");
        Pruning.prune(schema, object);
        if (metadata != null) {
            object.set("metadata", metadata);
        }
    }

    /** Converts an object of another version, or of an earlier schema, to this one. */
    private void convert(ObjectNode object) {
        prune(object);
        applyDefaults(object);
    }

    @Override
    public boolean storedAsServed(long revision) {
        return isStored() && (revision == 0 || revision > definition.since());
    }

    @Override
    public ObjectNode serve(ObjectNode stored) {
        if (!isStored()) {
            // Objects stored before a default was added receive it in every version.
            definition.storedForm().applyDefaults(stored);
        }
        convert(stored);
        return stored;
    }

    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before, String part) {
        if (!isStored()) {
            // Omitted fields first receive the defaults of the version that was written.
            applyDefaults(object);
            definition.storedForm().prune(object);
        }
        definition.storedForm().applyDefaults(object);
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        if (before == null) {
            metadata.put("generation", 1);
            if (hasStatusSubresource) {
                object.remove(STATUS);
            }
            return;
        }
        if (part.equals(STATUS)) {
            keepOnlyStatus(object, before);
            return;
        }
        if (hasStatusSubresource) {
            setStatus(object, before);
        }
        if (!withoutMetadata(object).equals(withoutMetadata(before))) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
    }

    /** Resets everything except the status and the managed fields. */
    private static void keepOnlyStatus(ObjectNode object, ObjectNode before) {
        JsonNode managed = object.path("metadata").path("managedFields");
        ObjectNode written = object.objectNode().setAll(object);
        object.removeAll();
        object.setAll(before.deepCopy());
        setStatus(object, written);
        if (!managed.isMissingNode()) {
            ((ObjectNode) object.path("metadata")).set("managedFields", managed);
        }
    }

    private static void setStatus(ObjectNode object, ObjectNode from) {
        if (from.has(STATUS)) {
            object.set(STATUS, from.path(STATUS).deepCopy());
        } else {
            object.remove(STATUS);
        }
    }

    private static ObjectNode withoutMetadata(ObjectNode object) {
        return object.objectNode().<ObjectNode>setAll(object).without("metadata");
    }

    /** Validates an object by the schema of this version, which the client wrote, as this version serves it. */
    @Override
    public List<Status.Cause> check(ObjectNode object, @Nullable ObjectNode before, String part) {
        ObjectNode served = whole(object);
        @Nullable ObjectNode servedBefore = before == null ? null : whole(before);
        boolean ofStatus = part.equals(STATUS);
        return Causes.of(causes -> {
            @Nullable TypeSchema statusSchema = schema.properties().get(STATUS);
            if (!ofStatus) {
                ValueCheck.check(schema, served, servedBefore, FieldPath.ROOT, causes);
            } else if (statusSchema != null && served.has(STATUS)) {
                @Nullable JsonNode earlier = servedBefore == null ? null : servedBefore.get(STATUS);
                ValueCheck.part(statusSchema, served.path(STATUS), earlier, FieldPath.of(STATUS), causes);
            }
            scale().ifPresent(fields -> checkScale(fields, ofStatus, served, causes));
            if (!ofStatus) {
                IdentityCheck.embedded(schema, served, FieldPath.ROOT, causes);
            }
            if (servedBefore == null
                    || Causes.none(found -> IdentityCheck.lists(schema, servedBefore, FieldPath.ROOT, found))) {
                IdentityCheck.lists(schema, served, FieldPath.ROOT, causes);
            }
            if (causes.isBlocking()) {
                if (ValidationRules.any(schema)) {
                    causes.unchecked();
                }
            } else {
                rules().check(served, servedBefore, causes);
            }
        });
    }

    /** Returns a value as Go prints it, in kube-apiserver's messages. */
    private static String goText(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> value.valueStream().map(CustomType::goText).collect(Collectors.joining(" ", "[", "]"));
            case OBJECT ->
                value.properties().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(field -> field.getKey() + ":" + goText(field.getValue()))
                        .collect(Collectors.joining(" ", "map[", "]"));
            case NULL, MISSING -> "<nil>";
            case BOOLEAN, NUMBER, STRING, BINARY, POJO -> value.asText();
        };
    }

    /** Returns the Go type of a value in kube-apiserver's messages. */
    private static String goType(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "[]interface {}";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case OBJECT -> "map[string]interface {}";
            case NULL, MISSING, BINARY, POJO -> "<nil>";
            case STRING -> "string";
        };
    }

    /** Checks the replica counts and the selector: a schema may allow values of other types. */
    private static void checkScale(ScaleFields fields, boolean ofStatus, ObjectNode object, Causes causes) {
        if (!ofStatus) {
            checkReplicas(fields.specReplicasPath(), object, causes);
        }
        checkReplicas(fields.statusReplicasPath(), object, causes);
        if (!fields.labelSelectorPath().isEmpty()) {
            accessed(fields.labelSelectorPath(), object, "string", JsonNode::isTextual, causes);
        }
    }

    private static void checkReplicas(String path, ObjectNode object, Causes causes) {
        JsonNode count = accessed(path, object, "int64", JsonNode::isIntegralNumber, causes);
        FieldPath where = FieldPath.of(path);
        if (count.asLong() < 0) {
            causes.invalid(where, count.toString(), "should be a non-negative integer");
        } else if (count.asLong() > Integer.MAX_VALUE) {
            causes.invalid(where, count.toString(), "should be less than or equal to " + Integer.MAX_VALUE);
        }
    }

    /** Returns the value at a path; a missing node if it is absent or reported, as it has another type. */
    private static JsonNode accessed(
            String path, ObjectNode object, String type, Predicate<JsonNode> hasType, Causes causes) {
        JsonNode at = object;
        String[] names = path.substring(1).split("\\.", -1);
        for (int i = 0; i < names.length && !at.isMissingNode() && !at.isNull(); i++) {
            at = at.path(names[i]);
            boolean last = i == names.length - 1;
            boolean right = last ? hasType.test(at) : at.isObject();
            if (!right && !at.isMissingNode() && !(at.isNull() && !last)) {
                String expected = last ? type : "map[string]interface{}";
                causes.invalid(
                        FieldPath.of(path),
                        type.equals("string") ? "\"\"" : "0",
                        path + " accessor error: " + FieldErrorMessages.clipped(goText(at)) + " is of the type "
                                + goType(at) + ", expected " + expected);
                return MissingNode.getInstance();
            }
        }
        return at;
    }

    /** Returns a stored object as this version serves it, with kind and apiVersion, as its schema expects. */
    private ObjectNode whole(ObjectNode object) {
        ObjectNode served = object.objectNode();
        served.put("kind", resourceType.kind()).put("apiVersion", resourceType.apiVersion());
        served.setAll(isStored() ? object : serve(object.deepCopy()));
        return served;
    }

    @Override
    public Set<String> selectableFields() {
        var fields = new LinkedHashSet<String>();
        for (JsonNode field : version.path("selectableFields")) {
            String path = field.path("jsonPath").asText();
            fields.add(path.startsWith(".") ? path.substring(1) : path);
        }
        return fields;
    }

    @Override
    public Optional<List<Object>> cells(JsonNode object) {
        return Optional.of(columns.cells(object));
    }

    @Override
    public Optional<String> warning() {
        if (!version.path("deprecated").asBoolean()) {
            return Optional.empty();
        }
        String message = version.path("deprecationWarning").asText("");
        return Optional.of(message.isEmpty() ? deprecation() : message);
    }

    /** Returns the default warning, which names the preferred one of the later versions that are not deprecated. */
    private String deprecation() {
        String kind = " " + resourceType.kind();
        String later = definition
                .spec()
                .path("versions")
                .valueStream()
                .filter(other -> other.path("served").asBoolean()
                        && !other.path("deprecated").asBoolean())
                .map(other -> other.path("name").asText())
                .filter(name -> ServedCustomTypes.PREFERRED_FIRST.compare(name, resourceType.version()) < 0)
                .min(ServedCustomTypes.PREFERRED_FIRST)
                .map(name -> "; use " + resourceType.group() + "/" + name + kind)
                .orElse("");
        return resourceType.apiVersion() + kind + " is deprecated" + later;
    }

    @Override
    public Optional<OpenApiSchema> described() {
        return Optional.of(new OpenApiSchema(
                version.path("schema").path("openAPIV3Schema"),
                definition.uid() + "/" + definition.entry().revision()));
    }
}
