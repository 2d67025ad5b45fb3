package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.representation.binary.FieldPlan.Zero;
import io.plat.apiserver.representation.binary.MessagePlan.Placement;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of small tables made for the purpose. */
class PlanCompilerTest {
    private static final JsonMapper MAPPER = new JsonMapper();

    private static MessagePlans plans(String messages, String zeros, String schemas, String further)
            throws IOException {
        return new MessagePlans(new Descriptions(
                messages.lines().toList(),
                zeros.lines().toList(),
                MAPPER.createParser(schemas.replace('\'', '"')),
                MAPPER.readTree(further.replace('\'', '"'))));
    }

    private static MessagePlans plans(String messages, String schemas) throws IOException {
        return plans(messages, "", schemas, "{}");
    }

    private static Placement placement(MessagePlan plan, String name) {
        return Objects.requireNonNull(plan.placement(name), name);
    }

    /** A field's type in the table of messages, its schema, and what its values are. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string|{'type':'string'}|ONE|STRING",
                "[]string|{'type':'array','items':{'type':'string'}}|ARRAY|STRING",
                "{}string|{'type':'object','additionalProperties':{'type':'string'}}|MAP|STRING",
                "bytes|{'type':'string','format':'byte'}|ONE|BYTES",
                "{}bytes|{'type':'object','additionalProperties':{'type':'string','format':'byte'}}|MAP|BYTES",
                "int32|{'type':'integer','format':'int32'}|ONE|INT32",
                "[]int64|{'type':'array','items':{'type':'integer','format':'int64'}}|ARRAY|INT64",
                "bool|{'type':'boolean'}|ONE|BOOL",
                "double|{'type':'number','format':'double'}|ONE|DOUBLE",
                "B|{'$ref':'#/definitions/io.k8s.p.B'}|ONE|MESSAGE",
                "[]B|{'type':'array','items':{'$ref':'#/definitions/io.k8s.p.B'}}|ARRAY|MESSAGE",
                "{}B|{'type':'object','additionalProperties':{'type':'array','items':{'type':'string'}}}|MAP|STRINGS",
                "k8s.io.apimachinery.pkg.api.resource.Quantity|{'$ref':'#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity'}|ONE|QUANTITY",
                "k8s.io.apimachinery.pkg.apis.meta.v1.Time|{'$ref':'#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}|ONE|TIME",
            })
    void kindsOfValues(String type, String schema, FieldPlan.Shape shape, ValueKind kind) throws IOException {
        MessagePlan plan = plans("k8s.io.p.A\n1 a " + type, "{'io.k8s.p.A':{'properties':{'a':" + schema + "}}}")
                .plan("k8s.io.p.A");
        FieldPlan field = placement(plan, "a").field();
        assertThat(field.shape()).isEqualTo(shape);
        assertThat(field.kind()).isEqualTo(kind);
        assertThat(field.number()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string|{'type':'integer','format':'int32'}",
                "string|{'type':'string','format':'byte'}",
                "bytes|{'type':'string'}",
                "int32|{'type':'integer','format':'int64'}",
                "int64|{'type':'integer','format':'int32'}",
                "int64|{'type':'integer'}",
                "bool|{'type':'string'}",
                "[]string|{'type':'string'}",
                "string|{'type':'array','items':{'type':'string'}}",
                "[]string|{'type':'array','items':{'type':'boolean'}}",
                "[]string|{'type':'array'}",
                "{}string|{'type':'array','items':{'type':'string'}}",
                "{}string|{'type':'object'}",
                "B|{'$ref':'#/definitions/io.k8s.p.C'}",
                "B|{'type':'object'}",
                "{}B|{'type':'object','additionalProperties':{'type':'array','items':{'type':'boolean'}}}",
                "k8s.io.apimachinery.pkg.apis.meta.v1.Time|{'$ref':'#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime'}",
                "k8s.io.apimachinery.pkg.apis.meta.v1.Time|{'type':'string'}",
            })
    void tablesThatContradictEachOther(String type, String schema) throws IOException {
        MessagePlans plans = plans("k8s.io.p.A\n1 a " + type, "{'io.k8s.p.A':{'properties':{'a':" + schema + "}}}");
        assertThatThrownBy(() -> plans.plan("k8s.io.p.A"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the schema and the message differ");
    }

    @Test
    void messagesThatNobodyDescribes() throws IOException {
        MessagePlans plans = plans("k8s.io.p.A", "{'io.k8s.p.B':{}}");
        assertThatThrownBy(() -> plans.plan("k8s.io.p.A")).hasMessage("no schema describes k8s.io.p.A");
        assertThatThrownBy(() -> plans.plan("k8s.io.p.B")).hasMessage("no table lists the fields of k8s.io.p.B");
    }

    @ParameterizedTest
    @CsvSource({
        "ref, $ref",
        "uID, uid",
        "aPIGroup, apiGroup",
        "Webhooks, webhooks",
        "xKubernetesMapType, x-kubernetes-map-type"
    })
    void namesThatDifferALittle(String inMessage, String inJson) throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n3 " + inMessage + " string",
                        "{'io.k8s.p.A':{'properties':{'" + inJson + "':{'type':'string'}}}}")
                .plan("k8s.io.p.A");
        assertThat(placement(plan, inJson).field().number()).isEqualTo(3);
        assertThat(plan.placement("other")).isNull();
        assertThat(plan.slot(3)).isZero();
        assertThat(plan.slot(2)).isNegative();
        assertThat(plan.slot(400)).isNegative();
    }

    @Test
    void fieldsOfOneSideAlone() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 gone string\n2 kept string\n3 message B\nk8s.io.p.B\n1 x string",
                        "{'io.k8s.p.A':{'properties':{'kept':{'type':'string'},'kind':{'type':'string'}}}}")
                .plan("k8s.io.p.A");
        assertThat(plan.size()).isEqualTo(1);
        assertThat(plan.placement("kind")).isNull();
        assertThat(placement(plan, "kept").inlined()).isEqualTo(-1);
    }

    @Test
    void messagesInlinedInEachOther() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a string\n2 b B\nk8s.io.p.B\n1 c C\n2 x string\nk8s.io.p.C\n7 y string",
                        "{'io.k8s.p.A':{'properties':{'a':{'type':'string'},'x':{'type':'string'},"
                                + "'y':{'type':'string'}},'required':['y']}}")
                .plan("k8s.io.p.A");
        assertThat(plan.fieldCount()).isEqualTo(3);
        assertThat(placement(plan, "a").inlined()).isEqualTo(-1);
        assertThat(placement(plan, "x").inlined()).isZero();
        assertThat(placement(plan, "y").inlined()).isEqualTo(1);
        assertThat(placement(plan, "y").field().zero()).isEqualTo(Zero.ALWAYS);
        assertThat(plan.inlinedParts())
                .containsExactly(new MessagePlan.InlinedPart(2, -1), new MessagePlan.InlinedPart(1, 0));
    }

    /** Nothing is inlined without end. */
    @Test
    void messagesThatHoldThemselves() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a A\n2 b string", "{'io.k8s.p.A':{'properties':{'c':{'type':'string'}}}}")
                .plan("k8s.io.p.A");
        assertThat(plan.size()).isZero();
    }

    @Test
    void circlesOfMessages() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a A", "{'io.k8s.p.A':{'properties':{'a':{'$ref':'#/definitions/io.k8s.p.A'}}}}")
                .plan("k8s.io.p.A");
        assertThat(placement(plan, "a").field().plan()).isSameAs(plan);
    }

    @ParameterizedTest
    @CsvSource({"'', '', LEFT_OUT", "'', a, ALWAYS", "a, '', SHOWN", "a, a, SHOWN", "b, b, LEFT_OUT"})
    void zeros(String counts, String required, Zero zero) throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a string",
                        "k8s.io.p.A " + counts,
                        "{'io.k8s.p.A':{'properties':{'a':{'type':'string'}},'required':['" + required + "']}}",
                        "{}")
                .plan("k8s.io.p.A");
        assertThat(placement(plan, "a").field().zero()).isEqualTo(zero);
    }

    /** A version without schemas of its own follows another's, except where it has one, and is served under its own names. */
    @Test
    void versionsLikeOthers() throws IOException {
        MessagePlans plans = plans(
                "k8s.io.p.v1.A\n1 b B\nk8s.io.p.v1.B\n1 x string\nk8s.io.p.v2.A\n4 b B\nk8s.io.p.v2.B\n5 y string",
                "k8s.io.p.v1.A b",
                "{'io.k8s.p.v1.A':{'properties':{'b':{'$ref':'#/definitions/io.k8s.p.v1.B'}},"
                        + "'x-kubernetes-group-version-kind':[{'group':'p','version':'v1','kind':'A'}]},"
                        + "'io.k8s.p.v1.B':{'properties':{'x':{'type':'string'}}}}",
                "{'packages':{'k8s.io.p.v2':{'like':'k8s.io.p.v1','servedAs':['p/v2','q/v2']}},"
                        + "'definitions':{'io.k8s.p.v2.B':{'properties':{'y':{'type':'string'},'z':{'type':'string'}}}},"
                        + "'fields':{'k8s.io.p.v2.B':['9 z string']}}");
        assertThat(plans.types())
                .containsExactlyInAnyOrder(
                        new TypeMeta("p/v1", "A"), new TypeMeta("p/v2", "A"), new TypeMeta("q/v2", "A"));
        MessagePlan plan = plans.find(new TypeMeta("q/v2", "A")).orElseThrow();
        FieldPlan field = placement(plan, "b").field();
        assertThat(field.number()).isEqualTo(4);
        assertThat(field.zero()).isEqualTo(Zero.SHOWN);
        assertThat(placement(field.plan(), "y").field().number()).isEqualTo(5);
        assertThat(placement(field.plan(), "z").field().number()).isEqualTo(9);
    }

    @Test
    void kindsWithoutAMessageHaveNoPlan() throws IOException {
        MessagePlans plans = plans(
                "",
                "{'io.k8s.p.A':{'properties':{},'x-kubernetes-group-version-kind':"
                        + "[{'group':'','version':'v1','kind':'A'}]}}");
        assertThat(plans.find(new TypeMeta("v1", "A"))).isEmpty();
        assertThat(plans.types()).isEmpty();
    }
}
