package io.plat.apiserver.metadata;

import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.type.TypeTraits;
import java.util.ArrayList;
import java.util.List;

/** The finalizers that the server itself acts on; whatever else holds an object is its owner's to take away. */
public final class Finalizers {
    /** Held until what the object owns no longer refers to it. */
    public static final String ORPHAN = "orphan";

    /** Held until what the object owns, and must not outlive it, is gone. */
    public static final String FOREGROUND = "foregroundDeletion";

    /** The finalizer of a namespace, held until it is empty. */
    public static final String NAMESPACE = "kubernetes";

    private Finalizers() {}

    /**
     * The finalizers of an object once its deletion was asked for: what was said overrides what it carried, and that what holds for its
     * type.
     */
    public static List<String> onDeletion(
            List<String> present, DeleteOptions.Propagation propagation, TypeTraits.Dependents dependents) {
        var finalizers = new ArrayList<>(present);
        finalizers.removeAll(List.of(ORPHAN, FOREGROUND));
        if (dependents == TypeTraits.Dependents.NONE) {
            return finalizers;
        }
        switch (propagation) {
            case UNSAID -> {
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
