package io.plat.engine.rbac.index;

import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import org.jspecify.annotations.Nullable;

/** What is asked about a resource, in the form in which rules are looked up: made once for a decision. */
final class Question implements Asked {
    final String verb;
    final long verbBit;
    /** The canonical name. */
    final String group;
    /** {@code resource} or {@code resource/subresource}, as rules write it. */
    final String resource;
    /** The rule's form for this subresource of any resource, or {@code ""} where no subresource is asked for. */
    final String anyResource;

    final String name;

    Question(ResourceAttributes request) {
        verb = request.verb();
        verbBit = Verbs.bit(verb);
        group = ApiGroups.canonical(request.group());
        String subresource = request.subresource();
        resource = subresource.isEmpty() ? request.resource() : request.resource() + "/" + subresource;
        anyResource = subresource.isEmpty() ? "" : "*/" + subresource;
        name = request.name();
    }

    @Override
    public @Nullable CompiledRule findIn(Permissions permissions) {
        return permissions.find(this);
    }
}
