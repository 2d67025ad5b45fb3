package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events: what clients note about other objects. They stand in the namespace of the object that they are about. */
final class EventRules implements TypeRules {
    /** Where events about objects without a namespace may stand. */
    private static final Set<String> OF_THE_CLUSTER = Set.of("default", "kube-system");

    @Override
    public NameRule names() {
        return NameRule.SUBDOMAIN;
    }

    @Override
    public Dependents dependents() {
        return Dependents.NONE;
    }

    @Override
    public boolean createsOnUpdate() {
        return true;
    }

    @Override
    public Set<String> selectableFields() {
        return Set.of(
                "involvedObject.kind",
                "involvedObject.namespace",
                "involvedObject.name",
                "involvedObject.uid",
                "involvedObject.apiVersion",
                "involvedObject.resourceVersion",
                "involvedObject.fieldPath",
                "reason",
                "reportingComponent",
                "type",
                // As the later group names them.
                "regarding.kind",
                "regarding.namespace",
                "regarding.name",
                "regarding.uid",
                "regarding.apiVersion",
                "regarding.resourceVersion",
                "regarding.fieldPath",
                "reportingController");
    }

    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        String own = Json.text(object.path("metadata"), "namespace");
        String involved = Json.text(object.path("involvedObject"), "namespace");
        boolean fits = involved.isEmpty() ? OF_THE_CLUSTER.contains(own) : involved.equals(own);
        if (!fits) {
            causes.invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
    }
}
