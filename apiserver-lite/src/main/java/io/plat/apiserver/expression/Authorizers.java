package io.plat.apiserver.expression;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import java.util.List;

/**
 * What expressions may ask of who authorizes, as far as a compiler has to know it:
 * {@code authorizer.group('apps').resource('deployments').check('create').allowed()}.
 */
final class Authorizers implements CelCompilerLibrary {
    /** Who is asked. */
    static final CelType AUTHORIZER = OpaqueType.create("kubernetes.authorization.Authorizer");

    /** A question about a resource. */
    static final CelType RESOURCE = OpaqueType.create("kubernetes.authorization.ResourceCheck");

    static final Authorizers INSTANCE = new Authorizers();

    private static final CelType PATH = OpaqueType.create("kubernetes.authorization.PathCheck");
    private static final CelType GROUP = OpaqueType.create("kubernetes.authorization.GroupCheck");
    private static final CelType DECISION = OpaqueType.create("kubernetes.authorization.Decision");
    private static final CelType TEXT = SimpleType.STRING;

    private Authorizers() {}

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        checker.addFunctionDeclarations(
                member("path", "authorizer_path", PATH, AUTHORIZER, TEXT),
                member("group", "authorizer_group", GROUP, AUTHORIZER, TEXT),
                member("serviceAccount", "authorizer_serviceaccount", AUTHORIZER, AUTHORIZER, TEXT, TEXT),
                member("resource", "groupcheck_resource", RESOURCE, GROUP, TEXT),
                CelFunctionDecl.newFunctionDeclaration(
                        "check",
                        CelOverloadDecl.newMemberOverload("pathcheck_check", DECISION, PATH, TEXT),
                        CelOverloadDecl.newMemberOverload("resourcecheck_check", DECISION, RESOURCE, TEXT)),
                member("allowed", "decision_allowed", SimpleType.BOOL, DECISION),
                member("errored", "decision_errored", SimpleType.BOOL, DECISION),
                member("error", "decision_error", TEXT, DECISION),
                member("reason", "decision_reason", TEXT, DECISION));
        for (String part : List.of("subresource", "namespace", "name", "fieldSelector", "labelSelector")) {
            checker.addFunctionDeclarations(member(part, "resourcecheck_" + part, RESOURCE, RESOURCE, TEXT));
        }
    }

    private static CelFunctionDecl member(String name, String id, CelType result, CelType... arguments) {
        return CelFunctionDecl.newFunctionDeclaration(
                name, CelOverloadDecl.newMemberOverload(id, result, List.of(arguments)));
    }
}
