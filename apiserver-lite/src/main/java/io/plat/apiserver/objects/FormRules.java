package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.TypeForm;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a type that is described elsewhere.
 *
 * @param form the description
 * @param part the part of an object that is written, {@code ""} for the object itself
 */
record FormRules(TypeForm form, String part) implements TypeRules {
    @Override
    public boolean ofPart() {
        return !part.isEmpty();
    }

    @Override
    public void prepare(ObjectNode object, @Nullable ObjectNode before) {
        form.prepare(object, before, part);
    }

    @Override
    public void check(ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        form.check(object, before, part).forEach(cause -> causes.add(cause.reason(), cause.message(), cause.field()));
    }
}
