package io.plat.apiserver.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.TypeTraits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finalizers that the server handles; all others are removed by their owners. */
public final class Finalizers {
    /** Finalizer that holds an object until its dependents are orphaned. */
    public static final String ORPHAN = "orphan";

    /** Finalizer that holds an object until its blocking dependents are deleted. */
    public static final String FOREGROUND = "foregroundDeletion";

    /** Finalizer that holds a namespace until it is empty. */
    public static final String NAMESPACE = "kubernetes";

    /** Finalizers that hold volumes, claims and classes while pods use them, by stored resource. */
    public static final Map<String, String> PROTECTION = Map.of(
            "persistentvolumes", "kubernetes.io/pv-protection",
            "persistentvolumeclaims", "kubernetes.io/pvc-protection",
            "volumeattributesclasses.storage.k8s.io", "kubernetes.io/vac-protection");

    static final Set<String> STANDARD = Set.of(ORPHAN, FOREGROUND, NAMESPACE);

    private Finalizers() {}

    /** Returns the finalizers that delay the deletion of an object: all but the protection of its type, as no pods run here. */
    public static List<String> blocking(String storage, JsonNode object) {
        List<String> finalizers = Json.texts(object.path("metadata").path("finalizers"));
        @Nullable String protection = PROTECTION.get(storage);
        return finalizers.stream().filter(name -> !name.equals(protection)).toList();
    }

    /**
     * Returns the finalizers of an object on deletion: an explicit propagation policy overrides the present finalizers, which override
     * the default of the type.
     */
    public static List<String> onDeletion(
            List<String> present, DeleteOptions.Propagation propagation, TypeTraits.Dependents dependents) {
        var finalizers = new ArrayList<>(present);
        finalizers.removeAll(List.of(ORPHAN, FOREGROUND));
        if (dependents == TypeTraits.Dependents.NONE) {
            return finalizers;
        }
        switch (propagation) {
            case UNSPECIFIED -> {
                if (finalizers.size() < present.size()) {
                    return List.copyOf(present);
                }
                if (dependents == TypeTraits.Dependents.ORPHANED) {
                    finalizers.add(ORPHAN);
                }
            }
            case ORPHAN -> finalizers.add(ORPHAN);
            case FOREGROUND -> finalizers.add(FOREGROUND);
            case BACKGROUND, NOT_ORPHANED -> {}
        }
        return finalizers;
    }
}
