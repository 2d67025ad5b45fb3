package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import io.plat.apiserver.cel.TypeRegistry;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Types of variables: admission request, namespace, and device. */
final class VariableTypes {
    static final CelType REQUEST = named("AdmissionRequest");
    static final CelType NAMESPACE = named("Namespace");
    static final CelType DEVICE = named("DRADevice");

    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

    /** A line for each type: its name, and its fields with their types, lists in brackets. */
    private static final String STRUCTS = """
            GroupVersionKind group:string version:string kind:string
            GroupVersionResource group:string version:string resource:string
            UserInfo username:string uid:string groups:strings extra:lists
            AdmissionRequest kind:GroupVersionKind resource:GroupVersionResource subResource:string\
             requestKind:GroupVersionKind requestResource:GroupVersionResource requestSubResource:string\
             name:string namespace:string operation:string userInfo:UserInfo dryRun:bool options:any
            NamespaceCondition status:string type:string lastTransitionTime:time message:string reason:string
            NamespaceMetadata name:string generateName:string namespace:string labels:labels annotations:labels\
             UID:string creationTimestamp:time deletionGracePeriodSeconds:int deletionTimestamp:time\
             generation:int resourceVersion:string finalizers:strings
            NamespaceSpec finalizers:strings
            NamespaceStatus conditions:[NamespaceCondition] phase:string
            Namespace metadata:NamespaceMetadata spec:NamespaceSpec status:NamespaceStatus
            DRADevice driver:string allowMultipleAllocations:bool attributes:attributes capacity:capacities
            """;

    private static final Map<String, Map<String, CelType>> KNOWN = known();

    private VariableTypes() {}

    private static CelType named(String name) {
        return StructTypeReference.create("kubernetes." + name);
    }

    private static Map<String, Map<String, CelType>> known() {
        Map<String, Map<String, CelType>> types = new LinkedHashMap<>();
        STRUCTS.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            Map<String, CelType> fields = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                String[] field = words[i].split(":", -1);
                fields.put(field[0], type(field[1]));
            }
            types.put("kubernetes." + words[0], fields);
        });
        return types;
    }

    private static CelType type(String word) {
        if (word.startsWith("[")) {
            return ListType.create(named(word.substring(1, word.length() - 1)));
        }
        return switch (word) {
            case "string" -> TEXT;
            case "strings" -> ListType.create(TEXT);
            case "labels" -> MapType.create(TEXT, TEXT);
            case "lists" -> MapType.create(TEXT, ListType.create(TEXT));
            case "time" -> SimpleType.TIMESTAMP;
            case "int" -> SimpleType.INT;
            case "bool" -> SimpleType.BOOL;
            case "any" -> SimpleType.DYN;
            case "attributes" -> MapType.create(TEXT, MapType.create(TEXT, SimpleType.DYN));
            case "capacities" -> MapType.create(TEXT, MapType.create(TEXT, QUANTITY));
            default -> named(word);
        };
    }

    /** Returns a registry with these types. */
    static TypeRegistry registry() {
        TypeRegistry types = TypeRegistry.ofPolicies();
        KNOWN.forEach(types::add);
        return types;
    }
}
