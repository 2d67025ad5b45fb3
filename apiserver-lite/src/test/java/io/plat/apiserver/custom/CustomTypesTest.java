package io.plat.apiserver.custom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.objects.ServiceNetworks;
import io.plat.apiserver.operations.Api;
import io.plat.apiserver.operations.ExpressionCheck;
import io.plat.apiserver.operations.ObjectBody;
import io.plat.apiserver.operations.ResourceOperations;
import io.plat.apiserver.operations.Result;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import io.plat.apiserver.stored.StorageRegistry;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.review.json.JsonFactories;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Definitions and their objects on an in-memory store. Documents are written with single quotes. */
class CustomTypesTest {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());

    private static final String SPEC = "{'type':'object','properties':{'spec':{'type':'object','properties':{"
            + "'size':{'type':'integer','default':1},'color':{'type':'string','enum':['red','blue']}}},"
            + "'status':{'type':'object','properties':{'ready':{'type':'boolean'}}}}}";

    private final ObjectStore store = EmbeddedStore.inMemory(StoreOptions.keeping(HistoryPolicy.DEFAULT));
    private final DefinitionForm form = new DefinitionForm(new StorageRegistry(ResourceCatalog.builtIn()));
    private final ResourceCatalog catalog = ResourceCatalog.builtIn().withForm(ResourceCatalog.DEFINITIONS, form);
    private final AtomicBoolean kept = new AtomicBoolean();
    private CustomTypes types;
    private ResourceOperations operations;
    private InstanceCleanup cleanup;

    CustomTypesTest() throws StorageException {
        types = CustomTypes.follow(store, form, Clock.systemUTC());
        operations = ResourceOperations.start(
                types.store(),
                catalog,
                types,
                new ObjectIdentity(Clock.systemUTC(), new Random(1)),
                new ResourceOperations.Settings(
                        ResourceOperations.Settings.DEFAULT.continueTtl(),
                        ServiceNetworks.DEFAULT,
                        ExpressionCheck.NONE,
                        Api.keeping("kept", kept::get)));
        cleanup = InstanceCleanup.start(types, operations);
    }

    @BeforeEach
    void defineShirts() {
        assertThat(post(definitions(""), definition("shirts", "Shirt", version("v1", true, SPEC))))
                .isEqualTo(201);
    }

    @AfterEach
    void close() throws StorageException {
        cleanup.close();
        operations.close();
        types.close();
        store.close();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static String version(String name, boolean storage, String schema) {
        return "{'name':'" + name + "','served':true,'storage':" + storage + ",'schema':{'openAPIV3Schema':" + schema
                + "},'subresources':{'status':{}}"
                // As in Kubernetes: versions with the same selectable fields need the same schema.
                + (name.equals("v1") || schema.equals(SPEC)
                        ? ",'selectableFields':[{'jsonPath':'.spec.color'}]}"
                        : "}");
    }

    private static String definition(String plural, String kind, String versions) {
        return "{'metadata':{'name':'" + plural + ".example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                + "'names':{'plural':'" + plural + "','kind':'" + kind + "'},'versions':[" + versions + "]}}";
    }

    private Target definitions(String name) {
        return new Target(
                catalog.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
                        .orElseThrow(),
                "",
                name);
    }

    private Target shirt(String name) {
        return of("v1", "shirts", name);
    }

    private Target of(String version, String resource, String name) {
        ResourceType type = types.now().find("example.com", version, resource).orElseThrow();
        return new Target(type, "default", name);
    }

    /** The authorizer checks the group and resource of the path: no other types are served there. */
    @ParameterizedTest
    @CsvSource({"com, shirts.example", "'', shirts.example.com", "example.com, shirts.", "ple.com, shirts.exam"})
    void nameHasOneSplit(String group, String resource) {
        assertThat(types.now().find("example.com", "v1", "shirts")).isPresent();
        assertThat(types.now().find(group, "v1", resource)).isEmpty();
    }

    private interface Call {
        Result run() throws StatusException;
    }

    private String lastMessage = "";
    private JsonNode last = MAPPER.nullNode();

    /** Returns the status code of a call; the message and the object are recorded. */
    private int code(Call call) {
        try {
            Result result = call.run();
            lastMessage = "";
            if (result instanceof Result.One one) {
                last = MAPPER.readTree(Negotiation.plain().object(one.object()));
                lastMessage = String.join("; ", one.warnings());
            }
            return result instanceof Result.One one ? one.code() : 200;
        } catch (StatusException e) {
            lastMessage = e.status().message();
            return e.status().code();
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private int post(Target target, String body) {
        return post(target, body, WriteOptions.DEFAULT);
    }

    private int post(Target target, String body, WriteOptions options) {
        return code(() -> operations.create(target, Api.typed(target.type(), json(body)), options));
    }

    private int patch(Target target, String body) {
        return code(() ->
                operations.patch(target, null, PatchFormat.MERGE, json(body).getBytes(UTF_8), WriteOptions.DEFAULT));
    }

    private int patchStatus(Target target, String body) {
        return code(() -> operations.patch(
                target,
                target.type().subresource("status").orElseThrow(),
                PatchFormat.MERGE,
                json(body).getBytes(UTF_8),
                WriteOptions.DEFAULT));
    }

    private int get(Target target) {
        return code(() -> operations.get(target, ""));
    }

    private int delete(Target target) {
        return code(() -> operations.delete(target, DeleteOptions.DEFAULT));
    }

    private JsonNode condition(String name, String type) {
        assertThat(get(definitions(name + ".example.com"))).isEqualTo(200);
        for (JsonNode condition : last.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition;
            }
        }
        return MAPPER.missingNode();
    }

    private static String protectedDefinition(String names, String group) {
        String plural = names.substring(0, names.indexOf(' '));
        String[] rest = names.substring(plural.length() + 1).split(" ", -1);
        return "{'metadata':{'name':'" + plural + "." + group + "','annotations':{'api-approved.kubernetes.io':"
                + "'https://example.com/1'}},'spec':{'group':'" + group + "','scope':'Cluster','names':{'plural':'"
                + plural + "','kind':'" + rest[0] + "','singular':'" + rest[1] + "','listKind':'" + rest[2]
                + "','shortNames':['" + rest[3] + "']},'versions':[" + version("v2", true, SPEC) + "]}}";
    }

    @ParameterizedTest
    @CsvSource({
        "clusterrolebindings Evil evil EvilList ev,       rbac.authorization.k8s.io,       PluralConflict",
        "clusterrolebindings Evil evil EvilList ev,       rbac.authorization.plat.io,      PluralConflict",
        "rolebindings Evil evil EvilList ev,              rbac.authorization.plat.io,      PluralConflict",
        "clusterrole Evil evil EvilList ev,               rbac.authorization.k8s.io,       PluralConflict",
        "evils Evil rolebinding EvilList ev,              rbac.authorization.k8s.io,       SingularConflict",
        "evils RoleBinding evil EvilList ev,              rbac.authorization.k8s.io,       KindConflict",
        "evils RoleList evil EvilList ev,                 rbac.authorization.k8s.io,       KindConflict",
        "evils Evil evil Role ev,                         rbac.authorization.plat.io,      ListKindConflict",
        "evils Evil evil EvilList ev,                     rbac.authorization.k8s.io,       PluralConflict",
        "evils Evil evil EvilList csr,                    certificates.k8s.io,             ShortNamesConflict",
        "certificatesigningrequests Evil evil EvilList e, certificates.k8s.io,             PluralConflict",
        "subjectaccessreviews Evil evil EvilList ev,      authorization.plat.io,           PluralConflict",
        "tokenreviews Evil evil EvilList ev,              authentication.k8s.io,           PluralConflict",
        "events Evil evil EvilList xy,                    events.k8s.io,                   PluralConflict",
        "customresourcedefinitions Evil evil EvilList ev, apiextensions.k8s.io,            PluralConflict",
        "apiservices Evil evil EvilList ev,               apiregistration.k8s.io,          PluralConflict",
    })
    void definitionInABuiltInGroupIsNotServed(String names, String group, String reason) {
        String name = names.substring(0, names.indexOf(' ')) + "." + group;
        assertThat(post(definitions(""), protectedDefinition(names, group)))
                .as(lastMessage)
                .isEqualTo(201);
        assertThat(get(definitions(name))).isEqualTo(200);
        Map<String, String> conditions = new TreeMap<>();
        last.at("/status/conditions")
                .forEach(each -> conditions.put(
                        each.path("type").asText(),
                        each.path("status").asText() + " " + each.path("reason").asText()));
        assertThat(conditions)
                .containsEntry("NamesAccepted", "False " + reason)
                .containsEntry("Established", "False NotAccepted")
                .containsEntry("KubernetesAPIApprovalPolicyConformant", "True ApprovedAnnotation");
        assertThat(types.now().groups()).containsExactly("example.com");
        assertThat(types.now().stored()).extracting(ResourceType::group).containsExactly("example.com");
        assertThat(types.now().find(group, "v2", name.substring(0, name.indexOf('.'))))
                .isEmpty();
        assertThat(types.now().collisions()).isEqualTo(1);
    }

    /** Watches of outdated types end. */
    @Test
    void typeIsCurrentUntilItsDefinitionChanges() throws Exception {
        ResourceType first = shirt("").type();
        Target shirts = definitions("shirts.example.com");
        assertThat(patch(shirts, "{'metadata':{'labels':{'a':'b'}}}")).isEqualTo(200);
        assertThat(shirt("").type()).isNotSameAs(first);
        assertThat(types.now().isCurrent(first)).isTrue();
        String unserved = version("v1", true, SPEC).replace("'served':true", "'served':false");
        assertThat(patch(shirts, "{'spec':{'versions':[" + version("v2", false, SPEC) + "," + unserved + "]}}"))
                .as(lastMessage)
                .isEqualTo(200);
        assertThat(types.now().isCurrent(first)).isFalse();
        ResourceType second = of("v2", "shirts", "").type();
        assertThat(types.now().isCurrent(second)).isTrue();
        assertThat(delete(shirts)).isEqualTo(200);
        await().untilAsserted(() -> assertThat(types.now().isCurrent(second)).isFalse());
        defineShirts();
        assertThat(types.now().isCurrent(first)).isFalse();
        assertThat(types.now().isCurrent(definitions("").type())).isTrue();
    }

    /** As stored by another build with expressions unknown to this one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x-kubernetes-validations':[{'rule':'self.size.unknown()'},{'rule':'self.size < 3'}]|spec: Invalid"
                        + " value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:18: undeclared",
                "'x-kubernetes-validations':[{'rule':'self.size < 3 && oldSelf.gone == 1'}]"
                        + "|spec: Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:",
                "'x-kubernetes-validations':[{'rule':'self.size < 3','messageExpression':'unknown'}]|failed rule:"
                        + " self.size < 3",
                "'properties':{'color':{'type':'string','pattern':'+'}}|spec.color in body should match '+, but"
                        + " pattern is invalid: error parsing regexp: missing argument to repetition operator: `+`'"
            })
    void uncompilableRulesRefuseWrites(String row) throws Exception {
        String[] parts = row.split("\\|", -1);
        String schema = "{'type':'object','properties':{'spec':{'type':'object',"
                + (parts[0].startsWith("'p") ? "" : "'properties':{'size':{'type':'integer'}},") + parts[0] + "}}}";
        String spec = definition("ties", "Tie", version("v1", true, schema));
        Key key = new Key(ResourceCatalog.DEFINITIONS, "", "ties.example.com");
        types.store().commit(Transaction.create(key, json(spec).getBytes(UTF_8)));
        Key stored = new Key("ties.example.com", "default", "old");
        store.commit(Transaction.create(
                stored, json("{'metadata':{'name':'old'},'spec':{'size':7}}").getBytes(UTF_8)));
        Target tie = of("v1", "ties", "old");
        assertThat(post(tie.named(""), "{'metadata':{'name':'new'},'spec':{'size':5,'color':'blue'}}"))
                .as(lastMessage)
                .isEqualTo(422);
        assertThat(lastMessage).contains(parts[1]);
        assertThat(patch(tie, "{'spec':{'size':8,'color':'red'}}")).isEqualTo(422);
        boolean applies = !parts[1].startsWith("failed rule");
        await().untilAsserted(() ->
                assertThat(types.now().uncompilable()).isEqualTo(applies ? List.of("ties.example.com") : List.of()));
        assertThat(post(tie.named(""), "{'metadata':{'name':'empty'}}")).isEqualTo(201);
        assertThat(get(tie)).isEqualTo(200);
        assertThat(delete(tie)).isEqualTo(200);
        assertThat(delete(definitions("ties.example.com"))).isEqualTo(200);
        await().untilAsserted(() -> assertThat(types.now().uncompilable()).isEmpty());
    }

    @Test
    void deletingACollidingDefinitionDeletesNoObjects() throws StorageException {
        Target binding = new Target(
                catalog.find("rbac.authorization.k8s.io", "v1", "clusterrolebindings")
                        .orElseThrow(),
                "",
                "");
        assertThat(post(
                        binding,
                        "{'metadata':{'name':'kept'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                                + "'kind':'ClusterRole','name':'x'}}"))
                .isEqualTo(201);
        String group = "rbac.authorization.k8s.io";
        assertThat(post(definitions(""), protectedDefinition("clusterrolebindings Evil evil EvilList ev", group)))
                .isEqualTo(201);
        assertThat(delete(definitions("clusterrolebindings." + group))).isEqualTo(200);
        await().untilAsserted(() ->
                assertThat(get(definitions("clusterrolebindings." + group))).isEqualTo(404));
        assertThat(get(binding.named("kept"))).isEqualTo(200);
    }

    /** Otherwise a writer of an object could hide it after the next start. */
    @Test
    void managerWithAnUnknownVersionIsNotStored() throws StorageException {
        Target roles = new Target(
                catalog.find("rbac.authorization.k8s.io", "v1", "clusterroles").orElseThrow(), "", "");
        String owner = "{'manager':'m','operation':'Update','fieldsType':'FieldsV1','fieldsV1':{'f:rules':{}},"
                + "'apiVersion':'rbac.authorization.k8s.io/v2'}";
        String metadata = "{'metadata':{'name':'r','generation':3,'managedFields':[" + owner + "]},'rules':[]}";
        assertThat(post(roles, metadata)).isEqualTo(201);
        assertThat(last.toString()).doesNotContain("/v2", "generation");
        assertThat(patch(roles.named("r"), metadata)).isEqualTo(200);
        assertThat(last.toString()).doesNotContain("/v2", "generation");
        Key key = new Key("clusterroles.rbac.authorization.k8s.io", "", "r");
        assertThat(form.registry().foreign().test(store.latest().get(key).orElseThrow()))
                .isFalse();
    }

    /** As stored by a build without the check: established, with accepted names. */
    @Test
    void collidingEstablishedDefinitionIsReportedAndUnchanged() throws Exception {
        String stored = "{'metadata':{'name':'roles.rbac.authorization.k8s.io','uid':'u','creationTimestamp':"
                + "'2026-01-01T00:00:00Z'},'spec':{'group':'rbac.authorization.k8s.io','scope':'Cluster','names':{"
                + "'plural':'roles','kind':'Evil','singular':'evil','listKind':'EvilList'},'versions':["
                + version("v2", true, SPEC) + "]},'status':{'acceptedNames':{'plural':'roles','kind':'Evil'},"
                + "'conditions':[{'type':'Established','status':'True'}]}}";
        Key key = new Key(ResourceCatalog.DEFINITIONS, "", "roles.rbac.authorization.k8s.io");
        types.store().commit(Transaction.create(key, json(stored).getBytes(UTF_8)));
        assertThat(get(definitions(key.name()))).isEqualTo(200);
        assertThat(last.at("/status/conditions").toString())
                .contains("\"NamesAccepted\",\"status\":\"False\"")
                .doesNotContain("True");
        assertThat(types.now().groups()).containsExactly("example.com");
        assertThat(new String(store.latest().get(key).orElseThrow().value(), UTF_8))
                .isEqualTo(json(stored));
        assertThat(delete(definitions(key.name()))).isEqualTo(200);
        await().untilAsserted(() -> assertThat(get(definitions(key.name()))).isEqualTo(404));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example.com              |                          | 201 |",
                "x.k8s.io                 |                          | 422 | Required value: protected groups must"
                        + " have approval annotation \"api-approved.kubernetes.io\", see"
                        + " https://github.com/kubernetes/enhancements/pull/1111",
                "x.kubernetes.io          |                          | 422 | Required value",
                "plat.io                  |                          | 422 | Required value",
                "x.plat.io                |                          | 422 | Required value",
                "x.platform.io            |                          | 422 | Required value",
                "x.x-k8s.io               |                          | 201 |",
                "x.k8s.io                 | yes                      | 422 | Invalid value: \"yes\": protected groups"
                        + " must have approval annotation \"api-approved.kubernetes.io\" with either a URL or a reason"
                        + " starting with \"unapproved\", see https",
                "x.k8s.io                 | https://                 | 422 | Invalid value",
                "x.k8s.io                 | /pull/1                  | 422 | Invalid value",
                "x.k8s.io                 | unapproved, experimental | 201 | False UnapprovedAnnotation",
                "x.plat.io                | https://example.com/1    | 201 | True ApprovedAnnotation",
            })
    void protectedGroupRequiresApproval(String group, @Nullable String annotation, int code, @Nullable String shows) {
        String text = protectedDefinition("evils Evil evil EvilList ev", group)
                .replace("'https://example.com/1'", "'" + (annotation == null ? "" : annotation) + "'");
        assertThat(post(definitions(""), text)).as(lastMessage).isEqualTo(code);
        if (code == 422) {
            assertThat(lastMessage).contains(shows);
            return;
        }
        assertThat(get(definitions("evils." + group))).isEqualTo(200);
        String condition = "";
        for (JsonNode each : last.at("/status/conditions")) {
            if (each.path("type").asText().equals("KubernetesAPIApprovalPolicyConformant")) {
                condition =
                        each.path("status").asText() + " " + each.path("reason").asText();
            }
        }
        assertThat(condition).isEqualTo(shows == null ? "" : shows);
        assertThat(patch(definitions("evils." + group), "{'metadata':{'labels':{'a':'b'}}}"))
                .isEqualTo(200);
    }

    @Test
    void typeIsServedOnceItsDefinitionIsAcknowledged() {
        assertThat(condition("shirts", "Established").path("status").asText()).isEqualTo("True");
        assertThat(last.at("/status/acceptedNames/listKind").asText()).isEqualTo("ShirtList");
        assertThat(last.at("/status/acceptedNames/singular").asText()).isEqualTo("shirt");
        assertThat(last.at("/status/storedVersions").toString()).isEqualTo("[\"v1\"]");
        assertThat(types.now().groups()).containsExactly("example.com");
        assertThat(post(shirt(""), "{'metadata':{'name':'a'},'spec':{'color':'red'}}"))
                .isEqualTo(201);
        assertThat(last.at("/spec/size").asInt()).isEqualTo(1);
        assertThat(last.at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(last.at("/apiVersion").asText()).isEqualTo("example.com/v1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'metadata':{'name':'a'},'spec':{'color':'green'}}           | 422 | spec.color: Unsupported value:"
                        + " 'green': supported values: 'red', 'blue'",
                "{'metadata':{'name':'a'},'spec':{'size':'x'}}                | 422 | spec.size: Invalid value:"
                        + " 'string': spec.size in body must be of type integer: 'string'",
                "{'metadata':{'name':'A'},'spec':{}}                          | 422 | metadata.name: Invalid value:"
                        + " 'A'",
                "{'metadata':{'name':'a','labels':1},'spec':{}}               | 400 | cannot be handled as a Shirt",
                "{'metadata':{'name':'a'},'spec':1}                           | 422 | spec in body must be of type"
                        + " object",
                "{'metadata':{'name':'a','namespace':'other'}}                | 400 | the namespace of the provided"
                        + " object does not match",
                "{'apiVersion':'example.com/v2','kind':'Shirt','metadata':{'name':'a'}} | 400 | does not match the"
                        + " expected API version",
                "{'apiVersion':'example.com/v1','kind':'Skirt','metadata':{'name':'a'}} | 422 | kind: Invalid value:"
                        + " 'Skirt': must be Shirt",
                "{'kind':'Shirt','metadata':{'name':'a'}}                     | 400 | the API version in the data ()"
                        + " does not match the expected API version (example.com/v1)",
                "{'apiVersion':'example.com/v1','metadata':{'name':'a'}}      | 400 | the object provided is"
                        + " unrecognized (must be of type Shirt): Object 'Kind' is missing in"
                        + " '{'apiVersion':'example.com/v1','metadata':{'name':'a'}}' ({'apiVersion':'example.com/v1'"
                        + " ...)",
                "{'kind':null}                                                | 400 | Object 'Kind' is missing in"
                        + " '{'kind':null}' ({'kind':null})",
            })
    void objectsViolatingTheSchemaAreRefused(String body, int code, String message) {
        assertThat(post(shirt(""), body)).isEqualTo(code);
        assertThat(lastMessage.replace('\'', '"')).contains(json(message));
    }

    @ParameterizedTest
    @CsvSource({
        "1e3, 1000",
        "1e21, 1e+21",
        "123456.5, 123456.5",
        "123456789.123, 1.23456789123e+08",
        "-0.00001, -1e-05",
        "0.0001, 0.0001",
        "2.50, 2.5",
        "0.0, 0"
    })
    void numbersInMessagesAreWrittenAsInGo(String sent, String shown) throws JsonProcessingException {
        assertThat(FieldErrorMessages.shown(MAPPER.readTree(sent))).isEqualTo(shown);
    }

    @Test
    void warningOfADeprecatedVersionNamesTheNextOne() {
        String versions = version("v1", true, SPEC).replace("'served'", "'deprecated':true,'served'") + ","
                + version("v2", false, SPEC) + "," + version("v3beta1", false, SPEC);
        assertThat(post(definitions(""), definition("plans", "Plan", versions))).isEqualTo(201);
        assertThat(of("v1", "plans", "").type().form().warning())
                .contains("example.com/v1 Plan is deprecated; use example.com/v2 Plan");
    }

    @Test
    void patchCannotRemoveTheKind() {
        assertThat(post(shirt(""), "{'metadata':{'name':'a'}}")).isEqualTo(201);
        assertThat(patch(shirt("a"), "{'kind':null}")).isEqualTo(422);
        assertThat(lastMessage).contains("Object 'Kind' is missing in ");
    }

    @Test
    void unknownFieldsArePrunedWithAWarning() {
        String body = "{'metadata':{'name':'a','x':1},'spec':{'size':2,'tail':{}},'more':1}";
        assertThat(post(shirt(""), body)).isEqualTo(201);
        assertThat(lastMessage)
                .contains("unknown field \"spec.tail\"", "unknown field \"more\"", "unknown field \"metadata.x\"");
        assertThat(last.path("spec").toString()).isEqualTo("{\"size\":2}");
        assertThat(post(shirt(""), body, new WriteOptions(false, WriteOptions.FieldValidation.STRICT)))
                .isEqualTo(400);
        assertThat(lastMessage).contains("strict decoding error");
    }

    @Test
    void nullOfANonNullableFieldIsAbsent() {
        assertThat(post(shirt(""), "{'metadata':{'name':'a'},'spec':{'color':null,'size':null}}"))
                .isEqualTo(201);
        assertThat(last.path("spec").toString()).isEqualTo("{\"size\":1}");
        assertThat(last.path("metadata").path("managedFields").toString()).doesNotContain("f:color");
    }

    @Test
    void serverOwnsTheStatusOfADefinition() throws StatusException {
        JsonNode owners = operations
                .get(definitions("shirts.example.com"), "")
                .object()
                .tree()
                .path("metadata")
                .path("managedFields");
        assertThat(Json.find(owners, "subresource", "status").path("manager").asText())
                .isEqualTo("apiserver-lite");
        assertThat(Json.find(owners, "subresource", "status")
                        .at("/fieldsV1/f:status")
                        .toString())
                .startsWith(
                        "{\"f:acceptedNames\":{\"f:kind\":{},\"f:listKind\":{},\"f:plural\":{},\"f:singular\":{}},"
                                + "\"f:conditions\":{\"k:{\\\"type\\\":\\\"Established\\\"}\":{\".\":{},\"f:lastTransitionTime\"");
    }

    @Test
    void specAndStatusAreWrittenSeparately() {
        post(shirt(""), "{'metadata':{'name':'a'},'spec':{'size':2},'status':{'ready':true}}");
        assertThat(last.has("status")).isFalse();
        assertThat(patchStatus(
                        shirt("a"), "{'status':{'ready':true},'spec':{'size':3},'metadata':{'labels':{'x':'y'}}}"))
                .isEqualTo(200);
        assertThat(last.at("/status/ready").asBoolean()).isTrue();
        assertThat(last.at("/spec/size").asInt()).isEqualTo(2);
        assertThat(last.at("/metadata/generation").asInt()).isEqualTo(1);
        assertThat(patch(shirt("a"), "{'status':{'ready':false},'spec':{'size':3}}"))
                .isEqualTo(200);
        assertThat(last.at("/status/ready").asBoolean()).isTrue();
        assertThat(last.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(patch(shirt("a"), "{'metadata':{'labels':{'x':'y'}}}")).isEqualTo(200);
        assertThat(last.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(patchStatus(shirt("a"), "{'status':{'ready':1}}")).isEqualTo(422);
    }

    @Test
    void updateRequiresAResourceVersion() {
        post(shirt(""), "{'metadata':{'name':'a'}}");
        int code = code(() -> operations.update(
                shirt("a"), Api.typed(shirt("a").type(), json("{'metadata':{'name':'a'}}")), WriteOptions.DEFAULT));
        assertThat(code).isEqualTo(422);
        assertThat(lastMessage).contains("metadata.resourceVersion");
    }

    @Test
    void selectableFieldsFilterLists() throws StatusException {
        post(shirt(""), "{'metadata':{'name':'a'},'spec':{'color':'red'}}");
        post(shirt(""), "{'metadata':{'name':'b'},'spec':{'color':'blue'}}");
        assertThat(names(operations.list(shirt(""), new ListOptions("", "spec.color=red", "", "", 0, "", null, false))))
                .containsExactly("a");
        assertThat(code(() ->
                        operations.list(shirt(""), new ListOptions("", "spec.size=1", "", "", 0, "", null, false))))
                .isEqualTo(400);
        assertThat(lastMessage).isEqualTo("field label not supported: spec.size");
    }

    private static List<String> names(Result.Many many) {
        return many.list().items().stream().map(item -> item.name()).toList();
    }

    /** Names in use are refused until they are released. */
    @Test
    void namesAreAcceptedOrConflict() {
        String trousers = definition("trousers", "Shirt", version("v1", true, SPEC));
        assertThat(post(definitions(""), trousers)).isEqualTo(201);
        JsonNode refused = condition("trousers", "NamesAccepted");
        assertThat(refused.path("status").asText()).isEqualTo("False");
        assertThat(refused.path("reason").asText()).isEqualTo("ListKindConflict");
        assertThat(refused.path("message").asText()).isEqualTo("\"ShirtList\" is already in use");
        assertThat(condition("trousers", "Established").path("status").asText()).isEqualTo("False");
        assertThat(types.now().find("example.com", "v1", "trousers")).isEmpty();

        assertThat(delete(definitions("shirts.example.com"))).isEqualTo(200);
        await().untilAsserted(() ->
                assertThat(types.now().find("example.com", "v1", "trousers")).isPresent());
        assertThat(condition("trousers", "NamesAccepted").path("status").asText())
                .isEqualTo("True");
    }

    @Test
    void deletingADefinitionDeletesItsObjects() {
        post(shirt(""), "{'metadata':{'name':'a'}}");
        post(shirt(""), "{'metadata':{'name':'held','finalizers':['example.com/hold']}}");
        Target held = shirt("held");
        assertThat(delete(definitions("shirts.example.com"))).isEqualTo(200);
        assertThat(last.at("/metadata/finalizers").toString()).contains("customresourcecleanup.apiextensions.k8s.io");
        await().untilAsserted(() -> assertThat(get(shirt("a"))).isEqualTo(404));
        assertThat(get(held)).isEqualTo(200);
        assertThat(condition("shirts", "Terminating").path("status").asText()).isEqualTo("True");
        assertThat(post(shirt(""), "{'metadata':{'name':'late'}}")).isEqualTo(405);
        assertThat(patch(held, "{'metadata':{'finalizers':null}}")).isEqualTo(200);
        await().untilAsserted(
                        () -> assertThat(get(definitions("shirts.example.com"))).isEqualTo(404));
        await().untilAsserted(() -> assertThat(types.now().groups()).isEmpty());
        assertThat(types.now().find("example.com", "v1", "shirts")).isEmpty();
    }

    /** Otherwise the permission to delete a definition would bypass all policies for the objects of its type. */
    @Test
    void deniedDeletionOfAnObjectBlocksItsDefinition() {
        post(shirt(""), "{'metadata':{'name':'kept'}}");
        post(shirt(""), "{'metadata':{'name':'other'}}");
        kept.set(true);
        Target object = shirt("kept");
        assertThat(delete(definitions("shirts.example.com"))).isEqualTo(200);
        await().untilAsserted(() -> assertThat(
                        condition("shirts", "Terminating").path("message").asText())
                .isEqualTo("could not issue all deletes: shirts.example.com \"kept\" is forbidden: kept from"
                        + " system:serviceaccount:kube-system:customresourcedefinition-controller"));
        assertThat(get(shirt("other"))).isEqualTo(404);
        assertThat(get(object)).isEqualTo(200);
        kept.set(false);
        await().untilAsserted(
                        () -> assertThat(get(definitions("shirts.example.com"))).isEqualTo(404));
        assertThat(get(object)).isEqualTo(404);
    }

    @Test
    void everyVersionShowsTheObjectsOfAll() {
        String later = SPEC.replace("'size':{'type':'integer','default':1}", "'length':{'type':'integer','default':7}");
        assertThat(patch(
                        definitions("shirts.example.com"),
                        "{'spec':{'versions':[" + version("v1", true, SPEC) + "," + version("v2beta1", false, later)
                                + "]}}"))
                .isEqualTo(200);
        assertThat(types.now().versions("example.com")).containsExactly("v1", "v2beta1");
        assertThat(post(shirt(""), "{'metadata':{'name':'a'},'spec':{'color':'red','size':3}}"))
                .isEqualTo(201);
        assertThat(get(of("v2beta1", "shirts", "a"))).isEqualTo(200);
        assertThat(last.path("spec").toString()).isEqualTo("{\"color\":\"red\",\"length\":7}");
        assertThat(last.path("apiVersion").asText()).isEqualTo("example.com/v2beta1");
        assertThat(post(of("v2beta1", "shirts", ""), "{'metadata':{'name':'b'},'spec':{'color':'blue'}}"))
                .isEqualTo(201);
        assertThat(get(shirt("b"))).isEqualTo(200);
        assertThat(last.path("spec").toString()).isEqualTo("{\"color\":\"blue\",\"size\":1}");
    }

    /** As in Kubernetes: by the schema of the version that is written, whichever is stored. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObjectIsValidatedByTheVersionThatIsWritten(boolean stored) {
        String strict = SPEC.replace("'enum':['red','blue']", "'enum':['red'],'maxLength':3")
                .replace(
                        "'properties':{'size'",
                        "'x-kubernetes-validations':[{'rule':'self.size < 5'}],'properties':{'size'");
        assertThat(patch(
                        definitions("shirts.example.com"),
                        "{'spec':{'versions':[" + version("v1", !stored, SPEC) + "," + version("v2", stored, strict)
                                + "]}}"))
                .as(lastMessage)
                .isEqualTo(200);
        String blue = "{'metadata':{'name':'a'},'spec':{'color':'blue'}}";
        assertThat(post(of("v2", "shirts", ""), blue)).isEqualTo(422);
        assertThat(post(of("v2", "shirts", ""), "{'metadata':{'name':'a'},'spec':{'size':9}}"))
                .isEqualTo(422);
        assertThat(post(shirt(""), blue)).isEqualTo(201);
        assertThat(patch(of("v2", "shirts", "a"), "{'spec':{'size':9}}")).isEqualTo(422);
        assertThat(patch(shirt("a"), "{'spec':{'size':9}}")).isEqualTo(200);
    }

    @Test
    void aTypeOfNamespacesNeverBecomesOneOfTheCluster() {
        assertThat(post(definitions(""), definition("blockers", "Block", version("v1", true, SPEC))))
                .isEqualTo(201);
        assertThat(post(definitions(""), definition("namespaces", "Block", version("v1", true, SPEC))))
                .isEqualTo(201);
        assertThat(condition("namespaces", "Established").path("status").asText())
                .isEqualTo("False");
        assertThat(patch(definitions("namespaces.example.com"), "{'spec':{'scope':'Cluster'}}"))
                .isEqualTo(422);
        assertThat(lastMessage).contains("would be authorized in the namespace of that name");
    }

    /** A stored object that cannot be read would stop everything that follows the objects. */
    @ParameterizedTest
    @ValueSource(strings = {"deep", "surrogate", "escaped", "long", "number"})
    void acceptedObjectsCanBeReadAgain(String odd) {
        String open = "{'type':'object','x-kubernetes-preserve-unknown-fields':true}";
        String version = version("v1", true, open).replace(",'selectableFields':[{'jsonPath':'.spec.color'}]", "");
        assertThat(post(definitions(""), definition("opens", "Open", version))).isEqualTo(201);
        Target object = of("v1", "opens", "a");
        String owner =
                "'metadata':{'name':'a','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'x','uid':'%s'}]}";
        String digits = "1".repeat(395);
        String body = switch (odd) {
            case "deep" -> "{" + owner.formatted("u") + ",'spec':" + "{'a':".repeat(126) + "1" + "}".repeat(126) + "}";
            case "surrogate" -> "{" + owner.formatted("\\ud83d") + "}";
            case "escaped" ->
                "{'metadata':{'name':'a','managedFields':[{'manager':'z','operation':'Update','apiVersion':'v1',"
                        + "'fieldsType':'FieldsV1','fieldsV1':{'f:metadata':{'f:finalizers':{'v:\\'\\\\ud83d\\'':{}}}}}]}}";
            case "long" -> "{" + owner.formatted("u".repeat(100_000)) + "}";
            default -> "{" + owner.formatted("u") + ",'spec':{'n':1." + digits + "e5}}";
        };
        assertThat(post(of("v1", "opens", ""), body)).as(lastMessage).isEqualTo(201);
        assertThat(get(object)).isEqualTo(200);
        assertThat(patch(object, "{'metadata':{'labels':{'a':'b'}}}"))
                .as(lastMessage)
                .isEqualTo(200);
        assertThat(get(object)).isEqualTo(200);
        assertThat(delete(object)).isEqualTo(200);
    }

    /** Sizes exist in the stored version only, where the sizes of a shirt are atomic. */
    @Test
    void managedFieldsUseTheVersionOfTheManager() {
        String list = "'tags':{'type':'array','items':{'type':'string'}},";
        String stored = SPEC.replace("'color':{", list + "'color':{");
        String later = stored.replace("'size':{'type':'integer','default':1},", "")
                .replace("'type':'array',", "'type':'array','x-kubernetes-list-type':'set',");
        assertThat(patch(
                        definitions("shirts.example.com"),
                        "{'spec':{'versions':[" + version("v1", true, stored) + "," + version("v2", false, later)
                                + "]}}"))
                .isEqualTo(200);
        assertThat(post(of("v2", "shirts", ""), "{'metadata':{'name':'a'},'spec':{'tags':['x']}}"))
                .isEqualTo(201);
        assertThat(owned("example.com/v2"))
                .isEqualTo("{\"f:spec\":{\".\":{},\"f:tags\":{\".\":{},\"v:\\\"x\\\"\":{}}}}");
        assertThat(patch(of("v2", "shirts", "a"), "{'spec':{'color':'red'}}")).isEqualTo(200);
        assertThat(owned("example.com/v2")).contains("f:color").doesNotContain("f:size");
        assertThat(patch(shirt("a"), "{'spec':{'tags':['y'],'size':4}}")).isEqualTo(200);
        assertThat(owned("example.com/v1")).isEqualTo("{\"f:spec\":{\"f:size\":{},\"f:tags\":{}}}");
        assertThat(owned("example.com/v2")).doesNotContain("v:").contains("f:color");
    }

    /** Returns the fields of the last object that the writer of a version owns. */
    private String owned(String version) {
        for (JsonNode entry : last.path("metadata").path("managedFields")) {
            if (entry.path("apiVersion").asText().equals(version)) {
                return entry.path("fieldsV1").toString();
            }
        }
        return "";
    }

    @Test
    void storedObjectsArePrunedByTheCurrentSchema() {
        post(shirt(""), "{'metadata':{'name':'a'},'spec':{'color':'red'}}");
        String later = SPEC.replace("'color':{", "'fabric':{'type':'string','default':'linen'},'color':{")
                .replace("'size':{'type':'integer','default':1},", "");
        assertThat(patch(
                        definitions("shirts.example.com"),
                        "{'spec':{'versions':[" + version("v1", true, later) + "]}}"))
                .isEqualTo(200);
        assertThat(get(shirt("a"))).isEqualTo(200);
        assertThat(last.path("spec").toString()).isEqualTo("{\"color\":\"red\",\"fabric\":\"linen\"}");
        assertThat(last.at("/metadata/name").asText()).isEqualTo("a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','properties':{'l':{'type':'array','items':{'type':'object'},'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['a','b','c','d','e','f','g','h','i','j','k','l','m','n','o','p','q']}}}}}]}}"
                        + " | x-kubernetes-list-map-keys: Too many: 17: must have at most 16 items",
                "{'spec':{'names':{'kind':'Skirt'}}}         | spec.names.kind: Invalid value: 'Skirt': field is"
                        + " immutable",
                "{'spec':{'scope':'Cluster'}}                | spec.scope: Invalid value: 'Cluster': field is"
                        + " immutable",
                "{'spec':{'group':'example.org'}}            | spec.group: Invalid value: 'example.org': field is"
                        + " immutable",
                "{'spec':{'scope':'Everywhere'}}             | spec.scope: Unsupported value: 'Everywhere': supported"
                        + " values: 'Cluster', 'Namespaced'",
                "{'spec':{'names':{'shortNames':['A']}}}     | spec.names.shortNames[0]: Invalid value: 'A'",
                "{'spec':{'conversion':{'strategy':'Magic'}}} | spec.conversion.strategy: Unsupported value: 'Magic'",
                "{'spec':{'versions':[{'name':'v2','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}"
                        + " | status.storedVersions[0]: Invalid value: 'v1': missing from spec.versions",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}"
                        + " | must have exactly one version marked as storage version",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true}]}} |"
                        + " spec.versions[0].schema.openAPIV3Schema: Required value",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','properties':{'a':{}}}}}]}}"
                        + " | spec.validation.openAPIV3Schema.properties[a].type: Required value",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},'additionalPrinterColumns':[{'name':'x','type':'text','jsonPath':'.a'}]}]}}"
                        + " | additionalPrinterColumns[0].type: Invalid value: 'text'",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},'selectableFields':[{'jsonPath':'.spec.x'}]}]}}"
                        + " | selectableFields[0].jsonPath: Invalid value: '.spec.x'",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},'deprecationWarning':'x'}]}}"
                        + " | can only be set for deprecated versions",
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}},'subresources':{'scale':{'specReplicasPath':'.x','statusReplicasPath':'.status.x'}}}]}}"
                        + " | scale.specReplicasPath: Invalid value: '.x'",
            })
    void invalidDefinitionIsRefused(String patch, String message) {
        assertThat(patch(definitions("shirts.example.com"), patch)).isEqualTo(422);
        assertThat(lastMessage).contains(json(message));
    }

    @ParameterizedTest
    @CsvSource({
        "skirts.example.com,  'must be spec.names.plural+', shirtss, Skirt",
        "pods.example.k8s.io, 'protected groups must have approval annotation', '', ''"
    })
    void definitionNameMustMatchItsType(String name, String message, String plural, String kind) {
        String body = plural.isEmpty()
                ? definition("pods", "Pod", version("v1", true, SPEC)).replace("example.com", "example.k8s.io")
                : definition(plural, kind, version("v1", true, SPEC)).replace("'" + plural + ".", "'skirts.");
        assertThat(post(definitions(""), body)).as(name).isEqualTo(422);
        assertThat(lastMessage).contains(message);
    }

    @Test
    void restartServesStoredDefinitions() throws StorageException {
        types.close();
        try (CustomTypes again = CustomTypes.follow(store, form, Clock.systemUTC())) {
            assertThat(again.now().find("example.com", "v1", "shirts")).isPresent();
        }
    }

    @Test
    void tablesHaveTheColumnsOfTheDefinition() throws StatusException, IOException {
        String columns = version("v1", true, SPEC)
                .replace(
                        "'subresources'",
                        "'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size'},"
                                + "{'name':'Ready','type':'string','jsonPath':'.status.conditions[?(@.type==\\\"R\\\")].status'}],'subresources'");
        patch(definitions("shirts.example.com"), "{'spec':{'versions':[" + columns + "]}}");
        post(shirt(""), "{'metadata':{'name':'a'},'spec':{'size':4}}");
        Result.Many list = operations.list(shirt(""), ListOptions.DEFAULT);
        byte[] table = Negotiation.objects(
                        new Preferences("application/json;as=Table;g=meta.k8s.io;v=v1", false, ""),
                        shirt("").type())
                .list(list.list())
                .bytes();
        JsonNode tree = MAPPER.readTree(table);
        assertThat(tree.at("/columnDefinitions").findValuesAsText("name")).containsExactly("Name", "Size", "Ready");
        assertThat(tree.at("/rows/0/cells").toString()).isEqualTo("[\"a\",4,null]");
    }

    private static String scalable(String selectorPath) {
        String schema =
                "{'type':'object','properties':{'spec':{'type':'object','properties':{'wanted':{'type':'integer'}}},"
                        + "'status':{'type':'object','properties':{'there':{'type':'integer'},'which':{'type':'string'}}}}}";
        return "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':" + schema
                + "},'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.wanted',"
                + "'statusReplicasPath':'.status.there'" + selectorPath + "}}}";
    }

    private int scale(String name) {
        return code(() -> operations.scales().get(of("v1", "farms", name), ""));
    }

    private int scale(String name, String patch) {
        return code(() -> operations
                .scales()
                .patch(of("v1", "farms", name), PatchFormat.MERGE, json(patch).getBytes(UTF_8), WriteOptions.DEFAULT));
    }

    @Test
    void scaleUsesThePathsOfTheDefinition() {
        post(definitions(""), definition("farms", "Farm", scalable(",'labelSelectorPath':'.status.which'")));
        assertThat(post(of("v1", "farms", ""), "{'metadata':{'name':'f'},'spec':{'wanted':2}}"))
                .isEqualTo(201);
        patchStatus(of("v1", "farms", "f"), "{'status':{'there':1,'which':'a=b'}}");
        assertThat(scale("f")).isEqualTo(200);
        assertThat(last.path("spec").toString()).isEqualTo("{\"replicas\":2}");
        assertThat(last.path("status").toString()).isEqualTo("{\"replicas\":1,\"selector\":\"a=b\"}");
        assertThat(scale("f", "{'spec':{'replicas':4}}")).isEqualTo(200);
        assertThat(get(of("v1", "farms", "f"))).isEqualTo(200);
        assertThat(last.at("/spec/wanted").asInt()).isEqualTo(4);
        assertThat(last.at("/status/there").asInt()).isEqualTo(1);
        assertThat(last.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(last.at("/metadata/managedFields").toString()).contains("\"subresource\":\"scale\"");
    }

    @Test
    void objectWithoutReplicasHasNoScale() {
        post(definitions(""), definition("farms", "Farm", scalable("")));
        post(of("v1", "farms", ""), "{'metadata':{'name':'f'}}");
        assertThat(scale("f")).isEqualTo(500);
        assertThat(lastMessage).contains("the spec replicas field \".spec.wanted\" does not exist");
        assertThat(scale("f", "{'metadata':{'labels':{}}}")).isEqualTo(400);
        assertThat(lastMessage).isEqualTo("the spec replicas field \".spec.wanted\" cannot be empty");
        assertThat(scale("f", "{'spec':{'replicas':1}}")).isEqualTo(200);
        assertThat(scale("f")).isEqualTo(200);
        assertThat(last.at("/spec/replicas").asInt()).isEqualTo(1);
    }

    @Test
    void replicasAreValidated() {
        post(definitions(""), definition("farms", "Farm", scalable("")));
        assertThat(post(of("v1", "farms", ""), "{'metadata':{'name':'f'},'spec':{'wanted':-2}}"))
                .isEqualTo(422);
        assertThat(lastMessage).contains(".spec.wanted: Invalid value: -2: should be a non-negative integer");
        assertThat(post(of("v1", "farms", ""), "{'metadata':{'name':'f'},'spec':{'wanted':2147483648}}"))
                .isEqualTo(422);
        assertThat(lastMessage).contains("should be less than or equal to 2147483647");
        assertThat(post(of("v1", "farms", ""), "{'metadata':{'name':'f'},'spec':{'wanted':1}}"))
                .isEqualTo(201);
        assertThat(scale("f", "{'spec':{'replicas':-1}}")).isEqualTo(422);
        assertThat(lastMessage)
                .isEqualTo("Farm.example.com \"f\" is invalid: .spec.wanted: Invalid value: -1: should be a"
                        + " non-negative integer");
    }

    private static final String PLANS = "{'type':'object','properties':{'spec':{'type':'object','properties':{"
            + "'steps':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['name','kind'],"
            + "'items':{'type':'object','required':['name'],'properties':{'name':{'type':'string'},"
            + "'kind':{'type':'string','default':'plain'},'image':{'type':'string'},'size':{'type':'integer'}}}},"
            + "'tags':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},"
            + "'order':{'type':'array','items':{'type':'string'}},"
            + "'labels':{'type':'object','additionalProperties':{'type':'string'}},"
            + "'ref':{'type':'object','x-kubernetes-map-type':'atomic','properties':{'a':{'type':'string'},'b':{'type':'string'}}},"
            + "'any':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}}}";

    private int applyPlan(String manager, boolean force, String spec) {
        return applyPlan("v1", manager, force, spec);
    }

    private int applyPlan(String version, String manager, boolean force, String spec) {
        Target plan = of(version, "plans", "p");
        String body = "{'apiVersion':'example.com/" + version + "','kind':'Plan','metadata':{'name':'p'},'spec':" + spec
                + "}";
        var options =
                new WriteOptions(false, WriteOptions.FieldValidation.STRICT, WriteCheck.NONE, manager, force, null);
        return code(() -> operations.apply(
                plan, null, ObjectBody.json(plan.type(), json(body).getBytes(UTF_8)), options, WriteCheck.NONE));
    }

    private String specOfPlan() {
        get(of("v1", "plans", "p"));
        return last.path("spec").toString().replace('"', '\'');
    }

    /** Columns: what one manager applies, what another one applies next, and the result or the error. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'steps':[{'name':'a','image':'i'}]}    | {'steps':[{'name':'a','size':1}]}                | 200 | {'steps':[{'name':'a','image':'i','kind':'plain','size':1}]}
        {'steps':[{'name':'a','image':'i'}]}    | {'steps':[{'name':'a','kind':'other','size':1}]} | 200 | {'steps':[{'name':'a','image':'i','kind':'plain'},{'name':'a','kind':'other','size':1}]}
        {'steps':[{'name':'a','image':'i'}]}    | {'steps':[{'name':'a','image':'j'}]}             | 409 | conflict with 'one': .spec.steps[kind='plain',name='a'].image
        {'tags':['x','y']}                      | {'tags':['y','z']}                               | 200 | {'tags':['x','y','z']}
        {'order':['x','y']}                     | {'order':['z']}                                  | 409 | conflict with 'one': .spec.order
        {'labels':{'a':'1'}}                    | {'labels':{'b':'2'}}                             | 200 | {'labels':{'a':'1','b':'2'}}
        {'labels':{'a':'1'}}                    | {'labels':{'a':'2'}}                             | 409 | conflict with 'one': .spec.labels.a
        {'ref':{'a':'1'}}                       | {'ref':{'b':'2'}}                                | 409 | conflict with 'one': .spec.ref
        {'any':{'x':{'y':1},'l':[1]}}           | {'any':{'x':{'z':2}}}                            | 200 | {'any':{'x':{'y':1,'z':2},'l':[1]}}
        {'any':{'l':[1]}}                       | {'any':{'l':[2]}}                                | 409 | conflict with 'one': .spec.any.l
        {'nothing':1}                           | {}                                               | 400 | ``
        """)
    void applyUsesTheSchemaOfTheType(String one, String two, int expected, String outcome) {
        post(
                definitions(""),
                definition(
                        "plans",
                        "Plan",
                        version("v1", true, PLANS).replace(",'selectableFields':[{'jsonPath':'.spec.color'}]", "")));
        int first = applyPlan("one", false, one);
        int second = first == 201 ? applyPlan("two", false, two) : first;
        assertThat(second).as(lastMessage).isEqualTo(expected);
        if (expected == 200) {
            assertThat(specOfPlan()).isEqualTo(outcome);
        } else {
            assertThat(lastMessage.replace('"', '\'')).endsWith(outcome);
        }
    }

    @Test
    void itemNoLongerAppliedIsRemovedFromItsList() {
        post(
                definitions(""),
                definition(
                        "plans",
                        "Plan",
                        version("v1", true, PLANS).replace(",'selectableFields':[{'jsonPath':'.spec.color'}]", "")));
        applyPlan("one", false, "{'steps':[{'name':'a','image':'i'},{'name':'b'}],'tags':['x','y']}");
        applyPlan("two", false, "{'steps':[{'name':'b','size':2}],'tags':['y']}");
        assertThat(applyPlan("one", false, "{'steps':[{'name':'a','image':'i'}],'tags':['x']}"))
                .isEqualTo(200);
        assertThat(specOfPlan())
                .isEqualTo("{'steps':[{'name':'a','image':'i','kind':'plain'},{'name':'b','kind':'plain','size':2}],"
                        + "'tags':['x','y']}");
        assertThat(applyPlan("two", false, "{}")).isEqualTo(200);
        assertThat(specOfPlan()).isEqualTo("{'steps':[{'name':'a','image':'i','kind':'plain'}],'tags':['x']}");
    }

    /** A version in which steps and tags are atomic, and one in which they are granular. */
    private void definePlansOfTwoKinds(String stored) {
        String whole = PLANS.replace("'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['name','kind'],", "")
                .replace("'x-kubernetes-list-type':'set',", "");
        String versions = version("v1", stored.equals("v1"), whole) + "," + version("v2", stored.equals("v2"), PLANS);
        assertThat(post(
                        definitions(""),
                        definition(
                                "plans",
                                "Plan",
                                versions.replace(",'selectableFields':[{'jsonPath':'.spec.color'}]", ""))))
                .isEqualTo(201);
    }

    /** Apply uses the list types of the applied version, whichever version is stored. */
    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void applyUsesTheListTypesOfItsVersion(String stored) {
        definePlansOfTwoKinds(stored);
        assertThat(applyPlan("v2", "one", false, "{'steps':[{'name':'a','image':'i'}],'tags':['x']}"))
                .isEqualTo(201);
        assertThat(applyPlan("v2", "two", false, "{'steps':[{'name':'b'}],'tags':['y']}"))
                .as(lastMessage)
                .isEqualTo(200);
        assertThat(specOfPlan())
                .isEqualTo("{'steps':[{'name':'a','image':'i','kind':'plain'},{'name':'b','kind':'plain'}],"
                        + "'tags':['x','y']}");
        // In a version in which it is atomic a list is replaced; owners of its elements lose them.
        assertThat(applyPlan("v1", "three", false, "{'tags':['z']}")).isEqualTo(200);
        assertThat(specOfPlan()).contains("'tags':['z']");
        assertThat(applyPlan("v2", "two", false, "{'steps':[{'name':'b'}]}")).isEqualTo(200);
        assertThat(applyPlan("v2", "one", false, "{'tags':['x']}")).isEqualTo(409);
        assertThat(lastMessage.replace('"', '\'')).contains("conflict with 'three': .spec.tags");
        assertThat(applyPlan("v2", "one", true, "{'tags':['x']}")).isEqualTo(200);
        assertThat(specOfPlan()).isEqualTo("{'steps':[{'name':'b','kind':'plain'}],'tags':['z','x']}");
    }

    /** A manager that changes its version removes its fields of the first version, and no fields of others in either. */
    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void applyingAnotherVersionRemovesEarlierFields(String stored) {
        definePlansOfTwoKinds(stored);
        applyPlan("v2", "one", false, "{'steps':[{'name':'a','image':'i'},{'name':'b'}],'labels':{'l':'1','m':'1'}}");
        applyPlan("v2", "two", false, "{'steps':[{'name':'b','size':2}]}");
        assertThat(applyPlan("v1", "one", false, "{'labels':{'l':'1'}}"))
                .as(lastMessage)
                .isEqualTo(200);
        assertThat(specOfPlan()).isEqualTo("{'steps':[{'name':'b','kind':'plain','size':2}],'labels':{'l':'1'}}");
        applyPlan("v1", "one", false, "{'order':['x'],'labels':{'l':'1'}}");
        assertThat(applyPlan("v2", "one", false, "{'labels':{'l':'1'}}")).isEqualTo(200);
        assertThat(specOfPlan()).isEqualTo("{'steps':[{'name':'b','kind':'plain','size':2}],'labels':{'l':'1'}}");
    }

    /** Finalizers and owner references are separate fields, as in built-in types. */
    @Test
    void managedFieldsCoverMetadataOfCustomObjects() {
        post(
                definitions(""),
                definition(
                        "plans",
                        "Plan",
                        version("v1", true, PLANS).replace(",'selectableFields':[{'jsonPath':'.spec.color'}]", "")));
        applyPlan("one", false, "{'tags':['x']}");
        patch(of("v1", "plans", "p"), "{'metadata':{'finalizers':['example.com/a']}}");
        assertThat(last.at("/metadata/managedFields").toString())
                .contains("f:finalizers")
                .contains("v:\\\"example.com/a\\\"");
    }
}
