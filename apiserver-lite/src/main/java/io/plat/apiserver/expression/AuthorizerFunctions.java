package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import io.plat.apiserver.cel.FunctionLibrary;
import io.plat.apiserver.expression.AuthorizerVariable.Check;
import io.plat.apiserver.expression.AuthorizerVariable.CheckResult;
import io.plat.apiserver.expression.AuthorizerVariable.Path;

/** Functions of the variable {@code authorizer}: {@code authorizer.group('apps').resource('deployments').check('create').allowed()}. */
final class AuthorizerFunctions extends FunctionLibrary {
    private static final Type<AuthorizerVariable> VARIABLE = type("Authorizer", AuthorizerVariable.class);
    private static final Type<Check> CHECK = type("ResourceCheck", Check.class);
    private static final Type<Path> PATH = type("PathCheck", Path.class);
    private static final Type<Check> GROUP = type("GroupCheck", Check.class);
    private static final Type<CheckResult> DECISION = type("Decision", CheckResult.class);

    /** Type of the variable. */
    static final CelType AUTHORIZER = VARIABLE.cel();

    /** Type of a resource check. */
    static final CelType RESOURCE = CHECK.cel();

    static final AuthorizerFunctions INSTANCE = new AuthorizerFunctions();

    private AuthorizerFunctions() {
        member("path", PATH, VARIABLE, TEXT, AuthorizerVariable::path);
        member("group", GROUP, VARIABLE, TEXT, AuthorizerVariable::group);
        member("serviceAccount", VARIABLE, VARIABLE, TEXT, TEXT, AuthorizerVariable::serviceAccount);
        member("resource", CHECK, GROUP, TEXT, Check::resource);
        member("check", DECISION, PATH, TEXT, Path::check);
        member("check", DECISION, CHECK, TEXT, Check::check);
        for (String part : Check.PARTS) {
            member(part, CHECK, CHECK, TEXT, (of, value) -> of.with(part, value));
        }
        member("allowed", BOOL, DECISION, CheckResult::allowed);
        member("errored", BOOL, DECISION, verdict -> !verdict.error().isEmpty());
        member("error", TEXT, DECISION, CheckResult::error);
        member("reason", TEXT, DECISION, CheckResult::reason);
    }

    private static <T> Type<T> type(String name, Class<T> as) {
        return Type.opaque("kubernetes.authorization." + name, as);
    }
}
