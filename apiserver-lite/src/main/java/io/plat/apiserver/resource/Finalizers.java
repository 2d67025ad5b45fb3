package io.plat.apiserver.resource;

import java.util.ArrayList;
import java.util.List;

/** The finalizers that the server itself acts on; whatever else holds an object is its owner's to take away. */
public final class Finalizers {
    /** Held until what the object owns no longer refers to it. */
    public static final String ORPHAN = "orphan";

    /** Held until what the object owns, and must not outlive it, is gone. */
    public static final String FOREGROUND = "foregroundDeletion";

    /** The finalizer of a namespace, held until it is empty. */
    static final String NAMESPACE = "kubernetes";

    private static final List<String> STANDARD = List.of(NAMESPACE, ORPHAN, FOREGROUND);

    private Finalizers() {}

    /** The finalizers of an object once its deletion was asked for: what was said overrides what it carried. */
    static List<String> onDeletion(List<String> present, DeleteOptions.Propagation propagation) {
        var finalizers = new ArrayList<>(present);
        if (propagation == DeleteOptions.Propagation.UNSAID) {
            return finalizers;
        }
        finalizers.removeAll(List.of(ORPHAN, FOREGROUND));
        if (propagation == DeleteOptions.Propagation.ORPHAN) {
            finalizers.add(ORPHAN);
        } else if (propagation == DeleteOptions.Propagation.FOREGROUND) {
            finalizers.add(FOREGROUND);
        }
        return finalizers;
    }

    /** Whether a name without a prefix is one that the field has given a meaning. */
    static boolean standard(String finalizer) {
        return STANDARD.contains(finalizer);
    }
}
