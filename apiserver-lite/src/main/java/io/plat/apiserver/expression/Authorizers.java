package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.plat.apiserver.custom.cel.FieldLibrary;
import io.plat.apiserver.expression.AuthorizerVariable.Group;
import io.plat.apiserver.expression.AuthorizerVariable.Path;
import io.plat.apiserver.expression.AuthorizerVariable.Resource;
import io.plat.apiserver.expression.AuthorizerVariable.Verdict;

/**
 * The functions of the variable {@code authorizer}:
 * {@code authorizer.group('apps').resource('deployments').check('create').allowed()}.
 */
final class Authorizers extends FieldLibrary {
    /** The type of the variable. */
    static final CelType AUTHORIZER = OpaqueType.create("kubernetes.authorization.Authorizer");

    /** A check of a resource. */
    static final CelType RESOURCE = OpaqueType.create("kubernetes.authorization.ResourceCheck");

    private static final CelType PATH = OpaqueType.create("kubernetes.authorization.PathCheck");
    private static final CelType GROUP = OpaqueType.create("kubernetes.authorization.GroupCheck");
    private static final CelType DECISION = OpaqueType.create("kubernetes.authorization.Decision");
    private static final CelType TEXT = SimpleType.STRING;

    static final Authorizers INSTANCE = new Authorizers();

    private Authorizers() {
        Class<AuthorizerVariable> authorizer = AuthorizerVariable.class;
        member("path", PATH, AUTHORIZER, authorizer, TEXT, String.class, AuthorizerVariable::path);
        member("group", GROUP, AUTHORIZER, authorizer, TEXT, String.class, AuthorizerVariable::group);
        member("serviceAccount", AUTHORIZER, AUTHORIZER, authorizer, AuthorizerVariable::serviceAccount);
        member("resource", RESOURCE, GROUP, Group.class, TEXT, String.class, Group::resource);
        member("check", DECISION, PATH, Path.class, TEXT, String.class, Path::check);
        member("check", DECISION, RESOURCE, Resource.class, TEXT, String.class, Resource::check);
        for (Resource.Part part : Resource.Part.values()) {
            member(
                    part.function(),
                    RESOURCE,
                    RESOURCE,
                    Resource.class,
                    TEXT,
                    String.class,
                    (of, value) -> of.with(part, value));
        }
        function("allowed", true, SimpleType.BOOL, DECISION, Verdict.class, Verdict::allowed);
        function(
                "errored",
                true,
                SimpleType.BOOL,
                DECISION,
                Verdict.class,
                verdict -> !verdict.error().isEmpty());
        function("error", true, TEXT, DECISION, Verdict.class, Verdict::error);
        function("reason", true, TEXT, DECISION, Verdict.class, Verdict::reason);
    }
}
