package io.plat.apiserver.openapi;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeForm;
import io.plat.review.json.JsonFactories;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * OpenAPI documents: one of version 2 for all types, and those of version 3, an index and one per group version. Each is built on first
 * use, and rebuilt when its types change. Thread-safe.
 */
public final class OpenApiDocuments {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());
    private static final String INDEX = "/openapi/v3";

    /** Suffix of list kinds. */
    private static final String LIST = "List";

    private final ServedTypes types;
    private final String productVersion;

    /** Documents by group version or path. */
    private final Map<String, Kept> documents = new ConcurrentHashMap<>();

    /** Schemas, loaded with the first document, since many servers never serve one. */
    private static final class Lazy {
        static final Schemas SCHEMAS = Schemas.builtIn();
    }

    /** Document, and the identity of the state from which it was built. */
    private record Kept(Object of, Document document) {}

    public OpenApiDocuments(ServedTypes types, String productVersion) {
        this.types = types;
        this.productVersion = productVersion;
    }

    /** Returns the version 3 document of a path, {@code /openapi/v3} or below. */
    public Optional<Document> find(String path) {
        if (path.equals(INDEX)) {
            return Optional.of(index());
        }
        return path.startsWith(INDEX + "/") ? groupVersion(path.substring(INDEX.length() + 1)) : Optional.empty();
    }

    /** Returns the version 2 document. */
    public Document swagger() {
        return kept("/openapi/v2", types.state(), () -> Document.of(bytes(SwaggerForm.of(document(prefixes(), true)))));
    }

    /** Returns the version 2 document in the protobuf form that kubectl reads. */
    public Document swaggerBinary() {
        Document json = swagger();
        return kept(
                "/openapi/v2 in binary form", json, () -> new Document(GnosticForm.encode(json.bytes()), json.hash()));
    }

    private Document index() {
        return kept(INDEX, types.state(), () -> Document.of(bytes(entries())));
    }

    /** Returns the document for a key, rebuilt if its state changed. */
    private Document kept(String key, Object of, Supplier<Document> made) {
        Kept known = documents.get(key);
        if (known == null || known.of() != of) {
            known = new Kept(of, made.get());
            documents.put(key, known);
        }
        return known.document();
    }

    /** Returns the URL of each group version; it contains the hash of the document, so that clients can cache it. */
    private ObjectNode entries() {
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = index.putObject("paths");
        prefixes()
                .forEach((prefix, served) -> paths.putObject(prefix)
                        .put("serverRelativeURL", INDEX + "/" + prefix + "?hash=" + hash(prefix, served)));
        return index;
    }

    private Map<String, List<ResourceType>> prefixes() {
        var prefixes = new LinkedHashMap<String, List<ResourceType>>();
        for (String version : types.versions("")) {
            prefixes.put("api/" + version, types.types("", version));
        }
        for (String group : types.groups()) {
            for (String version : types.versions(group)) {
                prefixes.put("apis/" + group + "/" + version, types.types(group, version));
            }
        }
        return prefixes;
    }

    /** Returns the hash of a document of custom types, without building the document. */
    private String hash(String prefix, List<ResourceType> served) {
        var stamps = new StringBuilder(productVersion);
        for (ResourceType type : served) {
            Optional<TypeForm.Described> described = described(type);
            if (described.isEmpty()) {
                return groupVersion(prefix, served).hash();
            }
            stamps.append(' ').append(described.get().stamp());
        }
        return Document.hash(stamps.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Optional<TypeForm.Described> described(ResourceType type) {
        return type.form() == null ? Optional.empty() : type.form().described();
    }

    private Optional<Document> groupVersion(String prefix) {
        String[] parts = prefix.split("/", -1);
        List<ResourceType> served = switch (parts.length) {
            case 2 -> parts[0].equals("api") ? types.types("", parts[1]) : List.of();
            case 3 -> parts[0].equals("apis") && !parts[1].isEmpty() ? types.types(parts[1], parts[2]) : List.of();
            default -> List.of();
        };
        return served.isEmpty() ? Optional.empty() : Optional.of(groupVersion(prefix, served));
    }

    private Document groupVersion(String prefix, List<ResourceType> served) {
        if (served.stream().allMatch(type -> described(type).isPresent())) {
            // There may be very many, and each is rarely requested.
            return new Document(bytes(document(Map.of(prefix, served), false)), hash(prefix, served));
        }
        return kept(prefix, served, () -> Document.of(bytes(document(Map.of(prefix, served), false))));
    }

    /**
     * Returns the document for some group versions.
     *
     * @param plain whether to limit schemas to version 2
     */
    private ObjectNode document(Map<String, List<ResourceType>> served, boolean plain) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
        document.putObject("info").put("title", "apiserver-lite").put("version", productVersion);
        ObjectNode paths = document.putObject("paths");
        var roots = new LinkedHashMap<String, List<ResourceType.Operation>>();
        roots.put(Schemas.PATCH, List.of());
        roots.put(Schemas.STATUS, List.of());
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        served.forEach((prefix, among) -> among.forEach(type -> {
            Optional<TypeForm.Described> described = described(type);
            described.ifPresent(of -> CustomSchemas.add(type, of.schema(), plain, schemas, roots));
            Optional<String> name = described.isPresent()
                    ? Optional.of(CustomSchemas.nameOf(type))
                    : Lazy.SCHEMAS.nameOf(Schemas.kind(type, ""));
            Optional<String> list = described.isPresent()
                    ? name.map(of -> of + LIST)
                    : Optional.of(type)
                            .filter(one -> !one.virtual())
                            .flatMap(one -> Lazy.SCHEMAS.nameOf(Schemas.kind(one, LIST)));
            name.ifPresent(of -> {
                if (described.isEmpty()) {
                    about(roots, of, Schemas.kind(type, ""));
                    list.ifPresent(lists -> about(roots, lists, Schemas.kind(type, LIST)));
                }
                for (ResourceType.Subresource part : type.subresources()) {
                    part.operation()
                            .ifPresent(operation ->
                                    Lazy.SCHEMAS.nameOf(operation).ifPresent(taken -> about(roots, taken, operation)));
                }
                new TypePaths("/" + prefix, type, Schemas.kind(type, ""), of, list).addTo(paths, Lazy.SCHEMAS);
            });
        }));
        Lazy.SCHEMAS.close(roots, schemas);
        return document;
    }

    /** Records that a schema describes a kind. */
    private static void about(
            Map<String, List<ResourceType.Operation>> roots, String schema, ResourceType.Operation kind) {
        List<ResourceType.Operation> about = roots.computeIfAbsent(schema, name -> new ArrayList<>());
        if (!about.contains(kind)) {
            about.add(kind);
        }
    }

    private static byte[] bytes(ObjectNode document) {
        try {
            return MAPPER.writeValueAsBytes(document);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a tree can be written", e);
        }
    }
}
