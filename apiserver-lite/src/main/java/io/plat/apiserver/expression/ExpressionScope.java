package io.plat.apiserver.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.extensions.CelExtensions;
import io.plat.apiserver.cel.SchemaTypes;
import io.plat.apiserver.expression.AuthorizerVariable.Check;
import io.plat.apiserver.expression.AuthorizerVariable.CheckResult;
import io.plat.apiserver.expression.AuthorizerVariable.Path;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CelEnvironment;
import io.plat.cel.CompiledExpression;
import io.plat.cel.FunctionLibrary;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Scope of an expression: its predeclared variables.
 *
 * @param params whether there are parameters
 * @param authorizer whether it may use the authorizer
 * @param patches whether it is a mutation
 */
record ExpressionScope(boolean params, boolean authorizer, boolean patches) {
    static final CelType REQUEST_TYPE = named("AdmissionRequest");
    static final CelType NAMESPACE = named("Namespace");
    static final CelType DEVICE = named("DRADevice");

    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

    /** A line for each type: its name, and its fields with their types, lists in brackets. */
    private static final String STRUCTS = """
        GroupVersionKind group:string version:string kind:string
        GroupVersionResource group:string version:string resource:string
        UserInfo username:string uid:string groups:strings extra:lists
        AdmissionRequest kind:GroupVersionKind resource:GroupVersionResource subResource:string\
         requestKind:GroupVersionKind requestResource:GroupVersionResource requestSubResource:string\
         name:string namespace:string operation:string userInfo:UserInfo dryRun:bool options:any
        NamespaceCondition status:string type:string lastTransitionTime:time message:string reason:string
        NamespaceMetadata name:string generateName:string namespace:string labels:labels annotations:labels\
         UID:string creationTimestamp:time deletionGracePeriodSeconds:int deletionTimestamp:time\
         generation:int resourceVersion:string finalizers:strings
        NamespaceSpec finalizers:strings
        NamespaceStatus conditions:[NamespaceCondition] phase:string
        Namespace metadata:NamespaceMetadata spec:NamespaceSpec status:NamespaceStatus
        DRADevice driver:string allowMultipleAllocations:bool attributes:attributes capacity:capacities
        """;

    private static final Map<String, Map<String, CelType>> KNOWN = known();
    static final ExpressionScope REQUEST = new ExpressionScope(false, true, false);

    static final String VARIABLES_TYPE = "kubernetes.variables";

    private static final String VARIABLES = "variables";
    private static final Map<ExpressionScope, CelCompiler> COMPILERS = new ConcurrentHashMap<>();

    private static final class Devices {
        static final CelCompiler COMPILER = CelEnvironment.compiler()
                .addLibraries(CelExtensions.bindings())
                .setTypeProvider(registry())
                .addVar("device", DEVICE)
                .build();
    }

    static CompiledExpression ofDevice(String expression) {
        return CompiledExpression.of(Devices.COMPILER, expression);
    }

    /**
     * Compiles an expression.
     *
     * @param variables types of the policy's variables; null for kinds without variables
     */
    CompiledExpression compile(String expression, @Nullable Map<String, CelType> variables) {
        @Nullable Map<String, CelType> named = expression.contains(VARIABLES) ? variables : null;
        return CompiledExpression.of(
                patches || named != null
                        ? compiler(expression, null, null, named)
                        : COMPILERS.computeIfAbsent(this, scope -> scope.compiler(expression, null, null, null)),
                expression);
    }

    /** Compiles an expression with known schemas of objects and parameters; null for an unknown schema. */
    CompiledExpression compile(
            String expression,
            @Nullable TypeSchema object,
            @Nullable TypeSchema parameters,
            Map<String, CelType> variables) {
        return CompiledExpression.of(compiler(expression, object, parameters, variables), expression);
    }

    private CelCompiler compiler(
            String expression,
            @Nullable TypeSchema object,
            @Nullable TypeSchema parameters,
            @Nullable Map<String, CelType> variables) {
        SchemaTypes types = registry();
        CelType objectType = object == null ? SimpleType.DYN : types.of("object", object);
        CelCompilerBuilder builder = CelEnvironment.compiler()
                .addLibraries(AuthorizerFunctions.INSTANCE)
                .setTypeProvider(types)
                .addVar("object", objectType)
                .addVar("oldObject", objectType)
                .addVar("namespaceObject", NAMESPACE)
                .addVar("request", REQUEST_TYPE);
        if (params) {
            builder.addVar("params", parameters == null ? SimpleType.DYN : types.of("params", parameters));
        }
        if (authorizer) {
            builder.addVar("authorizer", AuthorizerFunctions.AUTHORIZER)
                    .addVar("authorizer.requestResource", AuthorizerFunctions.RESOURCE);
        }
        if (patches) {
            builder.addLibraries(MutationTypes.INSTANCE);
            MutationTypes.addTypes(expression, types);
        }
        if (variables != null) {
            builder.addVar(VARIABLES, types.add(VARIABLES_TYPE, variables));
        }
        return builder.build();
    }

    /** Functions of the variable {@code authorizer}: {@code authorizer.group('apps').resource('deployments').check('create').allowed()}. */
    static final class AuthorizerFunctions extends FunctionLibrary {
        private static final Type<AuthorizerVariable> VARIABLE = type("Authorizer", AuthorizerVariable.class);
        private static final Type<Check> CHECK = type("ResourceCheck", Check.class);
        private static final Type<Path> PATH = type("PathCheck", Path.class);
        private static final Type<Check> GROUP = type("GroupCheck", Check.class);
        private static final Type<CheckResult> DECISION = type("Decision", CheckResult.class);

        static final CelType AUTHORIZER = VARIABLE.cel();

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

    private static CelType named(String name) {
        return StructTypeReference.create("kubernetes." + name);
    }

    private static Map<String, Map<String, CelType>> known() {
        Map<String, Map<String, CelType>> types = new LinkedHashMap<>();
        STRUCTS.lines().forEach(line -> {
            String[] words = line.split(" ", -1);
            Map<String, CelType> fields = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                String[] field = words[i].split(":", -1);
                fields.put(field[0], type(field[1]));
            }
            types.put("kubernetes." + words[0], fields);
        });
        return types;
    }

    private static CelType type(String word) {
        if (word.startsWith("[")) {
            return ListType.create(named(word.substring(1, word.length() - 1)));
        }
        return switch (word) {
            case "string" -> TEXT;
            case "strings" -> ListType.create(TEXT);
            case "labels" -> MapType.create(TEXT, TEXT);
            case "lists" -> MapType.create(TEXT, ListType.create(TEXT));
            case "time" -> SimpleType.TIMESTAMP;
            case "int" -> SimpleType.INT;
            case "bool" -> SimpleType.BOOL;
            case "any" -> SimpleType.DYN;
            case "attributes" -> MapType.create(TEXT, MapType.create(TEXT, SimpleType.DYN));
            case "capacities" -> MapType.create(TEXT, MapType.create(TEXT, QUANTITY));
            default -> named(word);
        };
    }

    static SchemaTypes registry() {
        SchemaTypes types = SchemaTypes.ofPolicies();
        KNOWN.forEach(types::add);
        return types;
    }
}
