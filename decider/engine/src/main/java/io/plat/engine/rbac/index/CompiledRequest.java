package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;

/** A request prepared for rule lookups, once per decision. */
final class CompiledRequest {
    final String verb;
    /** The verb's bit, 0 if it has none. */
    final long verbBit;
    /** True for a path; the resource attributes are then {@code ""}. */
    final boolean onPath;

    final String path;
    /** The canonical name. */
    final String group;
    /** {@code resource} or {@code resource/subresource}, as in rules. */
    final String resource;
    /** Notation of this subresource for all resources in rules; {@code *} if no subresource is requested. */
    final String anyResource;
    /** The object's name, {@code ""} if the request has none. */
    final String name;
    /** Namespace of the RoleBindings that apply; {@code ""} for none. */
    final String namespace;

    CompiledRequest(AccessAttributes access) {
        verb = access.verb();
        verbBit = Verbs.bit(verb);
        switch (access) {
            case ResourceAttributes request -> {
                String subresource = request.subresource();
                onPath = false;
                path = "";
                group = ApiGroups.canonical(request.group());
                resource = request.written();
                anyResource = subresource.isEmpty() ? RbacRule.ALL : "*/" + subresource;
                name = request.name();
                namespace = request.namespace();
            }
            case NonResourceAttributes request -> {
                onPath = true;
                path = request.path();
                group = "";
                resource = "";
                anyResource = RbacRule.ALL;
                name = "";
                namespace = "";
            }
        }
    }
}
