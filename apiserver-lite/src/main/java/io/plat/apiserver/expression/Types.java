package io.plat.apiserver.expression;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The types that variables of expressions have: those of a request for admission, of its namespace, and of a device. */
final class Types {
    /** What is asked to be admitted. */
    static final CelType REQUEST = StructTypeReference.create("kubernetes.AdmissionRequest");

    /** The namespace of what is asked for. */
    static final CelType NAMESPACE = StructTypeReference.create("kubernetes.Namespace");

    /** A device that may be chosen. */
    static final CelType DEVICE = StructTypeReference.create("kubernetes.DRADevice");

    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType TEXTS = ListType.create(TEXT);
    private static final CelType BY_NAME = MapType.create(TEXT, TEXT);
    private static final CelType TIME = SimpleType.TIMESTAMP;
    private static final Map<String, StructType> KNOWN = known();

    private Types() {}

    private static Map<String, StructType> known() {
        var types = new LinkedHashMap<String, StructType>();
        CelType kind = struct(types, "GroupVersionKind", Map.of("group", TEXT, "version", TEXT, "kind", TEXT));
        CelType resource =
                struct(types, "GroupVersionResource", Map.of("group", TEXT, "version", TEXT, "resource", TEXT));
        CelType user = struct(
                types,
                "UserInfo",
                Map.of("username", TEXT, "uid", TEXT, "groups", TEXTS, "extra", MapType.create(TEXT, TEXTS)));
        struct(
                types,
                "AdmissionRequest",
                Map.ofEntries(
                        Map.entry("kind", kind),
                        Map.entry("resource", resource),
                        Map.entry("subResource", TEXT),
                        Map.entry("requestKind", kind),
                        Map.entry("requestResource", resource),
                        Map.entry("requestSubResource", TEXT),
                        Map.entry("name", TEXT),
                        Map.entry("namespace", TEXT),
                        Map.entry("operation", TEXT),
                        Map.entry("userInfo", user),
                        Map.entry("dryRun", SimpleType.BOOL),
                        Map.entry("options", SimpleType.DYN)));
        addNamespace(types);
        CelType quantity = OpaqueType.create("kubernetes.Quantity");
        struct(
                types,
                "DRADevice",
                Map.of(
                        "driver",
                        TEXT,
                        "allowMultipleAllocations",
                        SimpleType.BOOL,
                        "attributes",
                        MapType.create(TEXT, MapType.create(TEXT, SimpleType.DYN)),
                        "capacity",
                        MapType.create(TEXT, MapType.create(TEXT, quantity))));
        return types;
    }

    private static void addNamespace(Map<String, StructType> types) {
        CelType condition = struct(
                types,
                "NamespaceCondition",
                Map.of("status", TEXT, "type", TEXT, "lastTransitionTime", TIME, "message", TEXT, "reason", TEXT));
        CelType metadata = struct(
                types,
                "NamespaceMetadata",
                Map.ofEntries(
                        Map.entry("name", TEXT),
                        Map.entry("generateName", TEXT),
                        Map.entry("namespace", TEXT),
                        Map.entry("labels", BY_NAME),
                        Map.entry("annotations", BY_NAME),
                        Map.entry("UID", TEXT),
                        Map.entry("creationTimestamp", TIME),
                        Map.entry("deletionGracePeriodSeconds", SimpleType.INT),
                        Map.entry("deletionTimestamp", TIME),
                        Map.entry("generation", SimpleType.INT),
                        Map.entry("resourceVersion", TEXT),
                        Map.entry("finalizers", TEXTS)));
        CelType spec = struct(types, "NamespaceSpec", Map.of("finalizers", TEXTS));
        CelType status =
                struct(types, "NamespaceStatus", Map.of("conditions", ListType.create(condition), "phase", TEXT));
        struct(types, "Namespace", Map.of("metadata", metadata, "spec", spec, "status", status));
    }

    private static CelType struct(Map<String, StructType> types, String name, Map<String, CelType> fields) {
        StructType type = struct("kubernetes." + name, fields);
        types.put(type.name(), type);
        return StructTypeReference.create(type.name());
    }

    /** A type of a name with fields of their types. */
    static StructType struct(String name, Map<String, CelType> named) {
        ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(named);
        return StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field)));
    }

    /** A type of a name with fields of which nothing but their names is known. */
    static StructType open(String name, ImmutableSet<String> fields) {
        return StructType.create(name, fields, field -> Optional.of(SimpleType.DYN));
    }

    /** These types, and others. */
    static CelTypeProvider with(Map<String, StructType> others) {
        ImmutableMap<String, StructType> all = ImmutableMap.<String, StructType>builder()
                .putAll(KNOWN)
                .putAll(others)
                .buildOrThrow();
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return ImmutableList.copyOf(all.values());
            }

            @Override
            public Optional<CelType> findType(String typeName) {
                return Optional.ofNullable(all.get(typeName));
            }
        };
    }
}
