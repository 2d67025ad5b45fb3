package io.plat.apiserver.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.discovery.ServedTypes;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.TypeForm;
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
    private static final String INDEX = "/openapi/v3";

    private static final String LIST = "List";

    private final ServedTypes types;
    private final String productVersion;

    private final Map<String, CachedDocument> documents = new ConcurrentHashMap<>();

    private final Object generating = new Object();

    /** The schemas are read with the first document: many servers never serve one. */
    private static final class Lazy {
        static final OpenApiSchemas SCHEMAS = OpenApiSchemas.builtIn();
    }

    /** Document, and the identity of the state from which it was built. */
    private record CachedDocument(Object of, HashedDocument document) {}

    public OpenApiDocuments(ServedTypes types, String productVersion) {
        this.types = types;
        this.productVersion = productVersion;
    }

    /** Returns the version 3 document of a path, {@code /openapi/v3} or below. */
    public Optional<HashedDocument> find(String path) {
        if (path.equals(INDEX)) {
            return Optional.of(kept(
                    INDEX,
                    types.state(),
                    () -> HashedDocument.of(entries().toString().getBytes(StandardCharsets.UTF_8))));
        }
        return path.startsWith(INDEX + "/") ? groupVersion(path.substring(INDEX.length() + 1)) : Optional.empty();
    }

    public HashedDocument swagger() {
        return kept("/openapi/v2", types.state(), () -> HashedDocument.of(bytes(prefixes(), true)));
    }

    /** Returns the version 2 document in the protobuf form that kubectl reads. */
    public HashedDocument swaggerBinary() {
        HashedDocument json = swagger();
        return kept(
                "/openapi/v2 in binary form",
                json,
                () -> new HashedDocument(GnosticEncoder.encode(json.bytes()), json.hash()));
    }

    /** Returns the document under a key, and creates it if its source has changed; one thread creates it while others wait. */
    HashedDocument kept(String key, Object of, Supplier<HashedDocument> created) {
        CachedDocument cached = documents.get(key);
        if (cached == null || cached.of() != of) {
            synchronized (generating) {
                cached = documents.get(key);
                if (cached == null || cached.of() != of) {
                    cached = new CachedDocument(of, created.get());
                    documents.put(key, cached);
                }
            }
        }
        return cached.document();
    }

    Object state() {
        return types.state();
    }

    /** Returns each group version with the URL of its document, whose hash changes with the document, so clients may cache it. */
    private ObjectNode entries() {
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = index.putObject("paths");
        prefixes()
                .forEach((prefix, served) -> paths.putObject(prefix)
                        .put("serverRelativeURL", INDEX + "/" + prefix + "?hash=" + hash(prefix, served)));
        return index;
    }

    /** Returns the types of each group version, by its path without the first slash. */
    Map<String, List<ResourceType>> prefixes() {
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
            Optional<TypeForm.OpenApiSchema> described = described(type);
            if (described.isEmpty()) {
                return groupVersion(prefix, served).hash();
            }
            stamps.append(' ').append(described.get().stamp());
        }
        return HashedDocument.hash(stamps.toString().getBytes(StandardCharsets.UTF_8));
    }

    static Optional<TypeForm.OpenApiSchema> described(ResourceType type) {
        return type.form() == null ? Optional.empty() : type.form().described();
    }

    private Optional<HashedDocument> groupVersion(String prefix) {
        String[] parts = prefix.split("/", -1);
        List<ResourceType> served = switch (parts.length) {
            case 2 -> parts[0].equals("api") ? types.types("", parts[1]) : List.of();
            case 3 -> parts[0].equals("apis") && !parts[1].isEmpty() ? types.types(parts[1], parts[2]) : List.of();
            default -> List.of();
        };
        return served.isEmpty() ? Optional.empty() : Optional.of(groupVersion(prefix, served));
    }

    private HashedDocument groupVersion(String prefix, List<ResourceType> served) {
        if (served.stream().allMatch(type -> described(type).isPresent())) {
            // There may be very many, and each is rarely requested.
            return new HashedDocument(bytes(Map.of(prefix, served), false), hash(prefix, served));
        }
        return kept(prefix, served, () -> HashedDocument.of(bytes(Map.of(prefix, served), false)));
    }

    private byte[] bytes(Map<String, List<ResourceType>> served, boolean plain) {
        var writer = new DocumentWriter(plain);
        for (Map<String, List<ResourceType>> part : parts(served)) {
            if (!plain) {
                reserve(part);
            }
            writer.add(document(part, plain));
        }
        return writer.bytes();
    }

    /**
     * Waits for a compute slot, and charges the request for the trees of some types, which become garbage when the next ones are generated.
     */
    private static void reserve(Map<String, List<ResourceType>> part) {
        long size = part.values().stream()
                .flatMap(List::stream)
                .flatMap(type -> described(type).stream())
                .mapToLong(type -> TreeSize.of(type.schema()))
                .sum();
        boolean builtIn = part.values().stream()
                .flatMap(List::stream)
                .anyMatch(type -> described(type).isEmpty());
        RequestMemory.current().compute(builtIn ? Integer.MAX_VALUE : Math.toIntExact(size));
        RequestMemory.current().hold(size);
    }

    /**
     * Returns the parts of a document, which are generated one at a time, as the trees of all take ten times the memory: the built-in
     * types, which share schemas, and each of the others.
     */
    static List<Map<String, List<ResourceType>>> parts(Map<String, List<ResourceType>> served) {
        var parts = new ArrayList<Map<String, List<ResourceType>>>();
        var builtIn = new LinkedHashMap<String, List<ResourceType>>();
        parts.add(builtIn);
        served.forEach((prefix, among) -> among.forEach(type -> {
            if (described(type).isPresent()) {
                parts.add(Map.of(prefix, List.of(type)));
            } else {
                builtIn.computeIfAbsent(prefix, any -> new ArrayList<>()).add(type);
            }
        }));
        return parts;
    }

    /**
     * Returns the document for some group versions.
     *
     * @param plain whether it is one of version 2
     */
    ObjectNode document(Map<String, List<ResourceType>> served, boolean plain) {
        ObjectNode document =
                JsonNodeFactory.instance.objectNode().put(plain ? "swagger" : "openapi", plain ? "2.0" : "3.0.0");
        document.putObject("info").put("title", "apiserver-lite").put("version", productVersion);
        ObjectNode paths = document.putObject("paths");
        var roots = new LinkedHashMap<String, List<ResourceType.GroupVersionKind>>();
        roots.put(OpenApiSchemas.PATCH, List.of());
        roots.put(OpenApiSchemas.STATUS, List.of(new ResourceType.GroupVersionKind("", "v1", "Status")));
        roots.put(OpenApiSchemas.DELETE_OPTIONS, new ArrayList<>());
        ObjectNode schemas = plain
                ? document.putObject("definitions")
                : document.putObject("components").putObject("schemas");
        served.forEach((prefix, among) -> among.forEach(type -> {
            Optional<TypeForm.OpenApiSchema> described = described(type);
            described.ifPresent(of -> CustomSchemas.add(type, of.schema(), plain, schemas, roots));
            Optional<String> name = described.isPresent()
                    ? Optional.of(CustomSchemas.nameOf(type))
                    : Lazy.SCHEMAS.nameOf(type.groupVersionKind());
            Optional<String> list = described.isPresent()
                    ? name.map(of -> of + LIST)
                    : Optional.of(type)
                            .filter(one -> !one.virtual())
                            .flatMap(one -> Lazy.SCHEMAS.nameOf(OpenApiSchemas.kind(one, LIST)));
            name.ifPresent(of -> {
                if (described.isEmpty()) {
                    addKind(roots, of, type.groupVersionKind());
                    addKind(
                            roots,
                            OpenApiSchemas.DELETE_OPTIONS,
                            new ResourceType.GroupVersionKind("", "v1", "DeleteOptions"));
                    addKind(
                            roots,
                            OpenApiSchemas.DELETE_OPTIONS,
                            new ResourceType.GroupVersionKind(type.group(), type.version(), "DeleteOptions"));
                    list.ifPresent(lists -> addKind(roots, lists, OpenApiSchemas.kind(type, LIST)));
                }
                for (ResourceType.Subresource part : type.subresources()) {
                    part.operation()
                            .ifPresent(operation -> Lazy.SCHEMAS
                                    .nameOf(operation)
                                    .ifPresent(schema -> addKind(roots, schema, operation)));
                }
                new TypePaths(plain, "/" + prefix, type, type.groupVersionKind(), of, list).addTo(paths, Lazy.SCHEMAS);
            });
        }));
        Lazy.SCHEMAS.addReferenced(roots, plain, schemas);
        return document;
    }

    private static void addKind(
            Map<String, List<ResourceType.GroupVersionKind>> roots, String schema, ResourceType.GroupVersionKind kind) {
        List<ResourceType.GroupVersionKind> kinds = roots.computeIfAbsent(schema, name -> new ArrayList<>());
        if (!kinds.contains(kind)) {
            kinds.add(kind);
        }
    }
}
