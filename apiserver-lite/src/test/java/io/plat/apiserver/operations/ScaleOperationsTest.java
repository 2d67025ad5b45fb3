package io.plat.apiserver.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scales of objects with replicas. Documents are written with single quotes. */
final class ScaleOperationsTest {
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String WEB = DEPLOYMENTS + "/web";

    private final Api api = new Api();

    @AfterEach
    void close() {
        api.close();
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static WriteOptions by(String manager, boolean force) {
        return new WriteOptions(false, WriteOptions.FieldValidation.WARN, WriteCheck.NONE, manager, force, null);
    }

    /** An object with three replicas and a selector. */
    private ObjectNode given(String collection, String selector) {
        return api.given(
                "/" + collection,
                json("{'metadata':{'name':'web'},'spec':{'replicas':3,'serviceName':'s','selector':" + selector
                        + ",'template':{'metadata':{'labels':{'a':'b','c':'d','e':'f'}},"
                        + "'spec':{'containers':[{'name':'x','image':'y'}]}}}}"));
    }

    private ObjectNode givenDeployment() {
        return given(DEPLOYMENTS.substring(1), "{'matchLabels':{'a':'b'}}");
    }

    private Api.Answer get(String path) {
        return api.answer(() -> api.operations.scales().get(api.target(path), ""));
    }

    private Api.Answer put(String path, String body) {
        return api.answer(() -> api.operations
                .scales()
                .update(
                        api.target(path),
                        ObjectBody.json(ScaleOperations.TYPE, json(body).getBytes(UTF_8)),
                        by("scaler", false)));
    }

    private Api.Answer patch(String path, PatchFormat format, String body) {
        return api.answer(() -> api.operations
                .scales()
                .patch(api.target(path), format, json(body).getBytes(UTF_8), by("scaler", false)));
    }

    private Api.Answer apply(String manager, boolean force, String spec) {
        return apply("'metadata':{'name':'web'},", manager, force, spec);
    }

    private Api.Answer apply(String metadata, String manager, boolean force, String spec) {
        String body = json("{'apiVersion':'autoscaling/v1','kind':'Scale'," + metadata + "'spec':" + spec + "}");
        return api.answer(() -> api.operations
                .scales()
                .apply(
                        api.target(WEB),
                        ObjectBody.json(ScaleOperations.TYPE, body.getBytes(UTF_8)),
                        by(manager, force)));
    }

    private int replicas() {
        return api.get(WEB).body().at("/spec/replicas").asInt(-1);
    }

    private Map<String, String> owners() {
        return api.owners(WEB).entrySet().stream()
                .filter(entry -> entry.getValue().at("/f:spec").has("f:replicas"))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().toString()));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            apis/apps/v1/namespaces/default/deployments       | {'matchLabels':{'c':'d','a':'b'}} | a=b,c=d
            apis/apps/v1/namespaces/default/replicasets       | {'matchLabels':{'c':'d'},'matchExpressions':[{'key':'a','operator':'In','values':['x','b']}]} | a in (b,x),c=d
            apis/apps/v1/namespaces/default/statefulsets      | {'matchExpressions':[{'key':'a','operator':'Exists'},{'key':'z','operator':'DoesNotExist'},{'key':'c','operator':'NotIn','values':['q']}]} | a,c notin (q),!z
            api/v1/namespaces/default/replicationcontrollers  | {'e':'f','a':'b'} | a=b,e=f
            """)
    void scaleShowsReplicasAndSelector(String collection, String selector, String text) {
        ObjectNode created = given(collection, selector);
        Api.Answer scale = get("/" + collection + "/web");
        assertThat(scale.code()).isEqualTo(200);
        ObjectNode expected = Api.tree(json("{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'name':'web',"
                + "'namespace':'default'},'spec':{'replicas':3},'status':{'replicas':0,'selector':'" + text + "'}}"));
        for (String field : new String[] {"uid", "resourceVersion", "creationTimestamp"}) {
            ((ObjectNode) expected.path("metadata"))
                    .set(field, created.path("metadata").path(field));
        }
        assertThat(scale.body()).isEqualTo(expected);
    }

    @Test
    void updateIncrementsTheGenerationAndOwnsReplicas() {
        givenDeployment();
        Api.Answer scaled = put(WEB, "{'metadata':{'name':'web'},'spec':{'replicas':5}}");
        assertThat(scaled.code()).as(scaled.body().toString()).isEqualTo(200);
        assertThat(scaled.body().path("kind").asText()).isEqualTo("Scale");
        assertThat(scaled.body().at("/spec/replicas").asInt()).isEqualTo(5);
        ObjectNode object = api.get(WEB).body();
        assertThat(object.at("/spec/replicas").asInt()).isEqualTo(5);
        assertThat(object.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(object.at("/metadata/resourceVersion"))
                .isEqualTo(scaled.metadata().path("resourceVersion"));
        assertThat(owners()).containsOnlyKeys("scaler Update scale");
        assertThat(api.owners(WEB).get("scaler Update scale"))
                .isEqualTo(Api.tree(json("{'f:spec':{'f:replicas':{}}}")));
    }

    /** Missing replicas are zero: an empty scale stops everything. */
    @Test
    void updateWithoutReplicasScalesToZero() {
        givenDeployment();
        assertThat(put(WEB, "{'metadata':{'name':'web'}}").code()).isEqualTo(200);
        assertThat(replicas()).isZero();
    }

    @Test
    void unchangedWriteKeepsTheResourceVersion() {
        ObjectNode created = givenDeployment();
        Api.Answer same = put(WEB, "{'metadata':{'name':'web'},'spec':{'replicas':3},'status':{'replicas':9}}");
        assertThat(same.metadata().path("resourceVersion")).isEqualTo(created.at("/metadata/resourceVersion"));
        assertThat(same.body().at("/status/replicas").asInt()).isZero();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            MERGE           | {'spec':{'replicas':7}}
            STRATEGIC_MERGE | {'spec':{'replicas':7}}
            JSON            | [{'op':'test','path':'/spec/replicas','value':3},{'op':'replace','path':'/spec/replicas','value':7}]
            """)
    void everyPatchScales(PatchFormat format, String patch) {
        givenDeployment();
        assertThat(patch(WEB, format, patch).code()).isEqualTo(200);
        assertThat(replicas()).isEqualTo(7);
        assertThat(owners()).containsOnlyKeys("scaler Update scale");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'metadata':{'name':'web'},'spec':{'replicas':-1}}       | 422 | Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0
            {'metadata':{'name':'web','resourceVersion':'1'}}        | 409 | Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again
            {'metadata':{'name':'web','uid':'other'}}                | 409 | Operation cannot be fulfilled on deployments.apps "web": Precondition failed: UID in precondition: other, UID in object meta: UID
            {'metadata':{'name':'bow'}}                              | 400 | the name of the object (bow) does not match the name on the URL (web)
            {'metadata':{'name':'web'},'spec':{'replicas':'5'}}      | 400 | Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal string into Go struct field Scale.spec.replicas of type int32
            {'kind':'Deployment','apiVersion':'apps/v1','metadata':{'name':'web'}} | 400 | Deployment in version "v1" cannot be handled as a Scale: converting (v1.Deployment) to (autoscaling.Scale): unknown conversion
            """)
    void invalidScaleIsRefused(String body, int code, String message) {
        ObjectNode created = givenDeployment();
        Api.Answer answer = put(WEB, body);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.message().replace(created.at("/metadata/uid").asText(), "UID"))
                .startsWith(message);
        assertThat(replicas()).isEqualTo(3);
    }

    @Test
    void dryRunScalesNothing() {
        givenDeployment();
        var dry = new WriteOptions(true, WriteOptions.FieldValidation.WARN);
        Api.Answer answer = api.answer(() -> api.operations
                .scales()
                .patch(
                        api.target(WEB),
                        PatchFormat.MERGE,
                        json("{'spec':{'replicas':7}}").getBytes(UTF_8),
                        dry));
        assertThat(answer.body().at("/spec/replicas").asInt()).isEqualTo(7);
        assertThat(replicas()).isEqualTo(3);
    }

    @Test
    void scalingAMissingObjectIsNotFound() {
        assertThat(get(WEB).code()).isEqualTo(404);
        assertThat(put(WEB, "{'metadata':{'name':'web'}}").code()).isEqualTo(404);
        assertThat(apply("a", false, "{'replicas':1}").code()).isEqualTo(404);
    }

    /** The manager that applied the object owns replicas, so that applying the scale conflicts unless forced. */
    @Test
    void applyingTheScaleConflictsWithApplyingTheObject() {
        String config =
                json("{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},'spec':{'replicas':3,"
                        + "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},"
                        + "'spec':{'containers':[{'name':'x','image':'y'}]}}}}");
        assertThat(api.apply(WEB, "owner", config, false).code()).isEqualTo(201);
        Api.Answer refused = apply("scaler", false, "{'replicas':5}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"owner\": .spec.replicas");
        assertThat(apply("scaler", true, "{'replicas':5}").code()).isEqualTo(200);
        assertThat(replicas()).isEqualTo(5);
        assertThat(owners()).containsOnlyKeys("scaler Apply scale");
        Api.Answer back = api.apply(WEB, "owner", config, false);
        assertThat(back.message())
                .isEqualTo(
                        "Apply failed with 1 conflict: conflict with \"scaler\" with subresource \"scale\": .spec.replicas");
        assertThat(apply("scaler", false, "{'replicas':6}").code()).isEqualTo(200);
        assertThat(replicas()).isEqualTo(6);
    }

    @Test
    void appliedScaleNeedsNoName() {
        givenDeployment();
        assertThat(apply("", "one", false, "{'replicas':3}").code()).isEqualTo(200);
        assertThat(apply("'metadata':{'name':'other'},", "one", false, "{'replicas':3}")
                        .message())
                .isEqualTo("the name of the object (other) does not match the name on the URL (web)");
    }

    @Test
    void managersOfTheSameReplicasShareOwnership() {
        givenDeployment();
        assertThat(apply("one", false, "{'replicas':3}").code()).isEqualTo(200);
        assertThat(apply("two", false, "{'replicas':3}").code()).isEqualTo(200);
        assertThat(owners().keySet()).contains("one Apply scale", "two Apply scale");
    }

    @Test
    void updateOfReplicasTakesOwnershipFromApply() {
        givenDeployment();
        assertThat(apply("one", true, "{'replicas':4}").code()).isEqualTo(200);
        assertThat(patch(WEB, PatchFormat.MERGE, "{'spec':{'replicas':8}}").code())
                .isEqualTo(200);
        assertThat(owners()).containsOnlyKeys("scaler Update scale");
        Api.Answer refused = apply("one", false, "{'replicas':4}");
        assertThat(refused.message())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"scaler\" with subresource \"scale\" using"
                        + " autoscaling/v1: .spec.replicas");
    }
}
