package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/**
 * Translation of the owners of an object's replica count to those of its scale and back. The path and the version differ; the owners are
 * the same.
 */
public record ScaleOwners(List<String> replicas, String apiVersion) {
    public static final String SCALE_VERSION = "autoscaling/v1";

    private static final List<String> IN_SCALE = List.of(FieldSet.field("spec"), FieldSet.field("replicas"));

    public ScaleOwners {
        replicas = replicas.stream().map(FieldSet::field).toList();
    }

    public ArrayNode ofScale(ArrayNode owners) {
        Managers scale = Managers.none();
        for (Managers.Entry owned : read(owners).all()) {
            if (owned.fields().has(replicas)) {
                scale.put(in(SCALE_VERSION, owned.manager()), single(IN_SCALE), owned.time());
            }
        }
        return scale.json(FieldNames.IDENTITY);
    }

    /**
     * Returns the owners of an object after a write of its scale: the replica count has exactly the owners that it has in the scale.
     */
    public ArrayNode ofObject(ArrayNode owners, ArrayNode ofScale) {
        Managers object = read(owners);
        Managers scale = read(ofScale);
        FieldSet number = single(replicas);
        Managers result = Managers.none();
        for (Managers.Entry owned : object.all()) {
            boolean keeps = scale.all().stream()
                    .anyMatch(other -> holds(other) && other.manager().same(in(SCALE_VERSION, owned.manager())));
            result.put(owned.manager(), keeps ? owned.fields() : owned.fields().difference(number), owned.time());
        }
        for (Managers.Entry owned : scale.all()) {
            boolean known = result.all().stream()
                    .anyMatch(other -> other.fields().has(replicas)
                            && in(SCALE_VERSION, other.manager()).same(owned.manager()));
            if (holds(owned) && !known) {
                FieldOwner owner = in(apiVersion, owned.manager());
                result.put(owner, result.of(owner).union(number), owned.time());
            }
        }
        return result.json(FieldNames.IDENTITY);
    }

    private static boolean holds(Managers.Entry owned) {
        return owned.fields().has(IN_SCALE);
    }

    private static Managers read(ArrayNode owners) {
        return Managers.read(owners, FieldNames.IDENTITY).orElseGet(Managers::none);
    }

    private static FieldSet single(List<String> path) {
        var set = new FieldSet();
        set.add(path);
        return set;
    }

    private static FieldOwner in(String apiVersion, FieldOwner owner) {
        return new FieldOwner(owner.name(), owner.operation(), apiVersion, owner.subresource());
    }
}
