package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;

/**
 * The owners of an object's number of replicas, as owners of the object and as owners of its scale: under each, the number stands
 * elsewhere and the version is another one, while whoever owns it is the same.
 *
 * @param replicas the path of the number in the object, as names of fields
 * @param apiVersion the version of the object that is written
 */
public record ScaleOwners(List<String> replicas, String apiVersion) {
    /** The version of a scale. */
    public static final String SCALE_VERSION = "autoscaling/v1";

    private static final List<String> IN_SCALE = List.of(FieldSet.field("spec"), FieldSet.field("replicas"));

    public ScaleOwners {
        replicas = replicas.stream().map(FieldSet::field).toList();
    }

    /** The owners of the scale of an object that has these owners. */
    public ArrayNode ofScale(ArrayNode owners) {
        Managers scale = Managers.none();
        for (Managers.Owned owned : read(owners).all()) {
            if (owned.fields().has(replicas)) {
                scale.put(in(SCALE_VERSION, owned.manager()), single(IN_SCALE), owned.time());
            }
        }
        return scale.json(FieldNames.SAME);
    }

    /**
     * The owners of an object once its scale has others: who owns the number there owns it here, and nobody else.
     *
     * @param owners the object's owners before
     * @param ofScale the owners of its scale now
     */
    public ArrayNode ofObject(ArrayNode owners, ArrayNode ofScale) {
        Managers object = read(owners);
        Managers scale = read(ofScale);
        FieldSet number = single(replicas);
        Managers result = Managers.none();
        for (Managers.Owned owned : object.all()) {
            boolean keeps = scale.all().stream()
                    .anyMatch(other -> holds(other) && other.manager().same(in(SCALE_VERSION, owned.manager())));
            result.put(owned.manager(), keeps ? owned.fields() : owned.fields().difference(number), owned.time());
        }
        for (Managers.Owned owned : scale.all()) {
            boolean known = result.all().stream()
                    .anyMatch(other -> other.fields().has(replicas)
                            && in(SCALE_VERSION, other.manager()).same(owned.manager()));
            if (holds(owned) && !known) {
                FieldOwner owner = in(apiVersion, owned.manager());
                result.put(owner, result.of(owner).union(number), owned.time());
            }
        }
        return result.json(FieldNames.SAME);
    }

    private static boolean holds(Managers.Owned owned) {
        return owned.fields().has(IN_SCALE);
    }

    private static Managers read(ArrayNode owners) {
        return Managers.read(owners, FieldNames.SAME).orElseGet(Managers::none);
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
