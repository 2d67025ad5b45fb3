package io.plat.apiserver.representation.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.apiserver.representation.binary.FieldPlan.Zero;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of small artificial tables. */
class PlanTableTest {
    private static final JsonMapper MAPPER = new JsonMapper();

    private static final String ADDITIONAL = "\nk8s.io.p.B\n1 items []string"
            + "\nk8s.io.apimachinery.pkg.api.resource.Quantity\n1 string string"
            + "\nk8s.io.apimachinery.pkg.apis.meta.v1.Time\n1 seconds int64";

    private static Descriptions tables(String messages, String zeros, String schemas, String additional)
            throws IOException {
        return new Descriptions(
                messages.lines().toList(),
                zeros.lines().toList(),
                MAPPER.createParser(schemas.replace('\'', '"')),
                MAPPER.readTree(additional.replace('\'', '"')));
    }

    private static Plans plans(String messages, String zeros, String schemas, String additional) throws IOException {
        return new Plans(tables(messages, zeros, schemas, additional));
    }

    /** Plans that are derived and read on demand. */
    private record Plans(Descriptions tables) {
        MessagePlan plan(String message) {
            return read(PlanTable.text(tables, Set.of(message))).plan(message);
        }

        BinaryForms ofTypes() {
            return read(PlanTable.text(tables, Set.copyOf(tables.kinds().values())));
        }

        private static BinaryForms read(String text) {
            return new BinaryForms(text.lines().toList());
        }
    }

    private static Plans plans(String messages, String schemas) throws IOException {
        return plans(messages, "", schemas, "{}");
    }

    private static FieldPlan field(MessagePlan plan, String name) {
        return Objects.requireNonNull(plan.named(name), name);
    }

    /** A field's type in the table of messages, its schema, and the kind of its values. */
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
                "{}B|{'type':'object','additionalProperties':{'type':'array','items':{'type':'string'}}}|MAP|UNION",
                "k8s.io.apimachinery.pkg.api.resource.Quantity|{'$ref':'#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity'}|ONE|QUANTITY",
                "k8s.io.apimachinery.pkg.apis.meta.v1.Time|{'$ref':'#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}|ONE|TIME",
            })
    void kindsOfValues(String type, String schema, FieldPlan.Shape shape, ValueKind kind) throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a " + type + ADDITIONAL,
                        "{'io.k8s.p.A':{'properties':{'a':" + schema + "}},'io.k8s.p.B':{}}")
                .plan("k8s.io.p.A");
        FieldPlan field = field(plan, "a");
        FieldPlan values = shape == FieldPlan.Shape.MAP ? field.plan().field(1) : field;
        assertThat(field.shape()).isEqualTo(shape);
        assertThat(values.kind()).isEqualTo(kind);
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
    void contradictoryTables(String type, String schema) throws IOException {
        Plans plans = plans("k8s.io.p.A\n1 a " + type, "{'io.k8s.p.A':{'properties':{'a':" + schema + "}}}");
        assertThatThrownBy(() -> plans.plan("k8s.io.p.A"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the schema and the message differ");
    }

    @Test
    void undescribedMessages() throws IOException {
        Plans plans = plans("k8s.io.p.A", "{'io.k8s.p.B':{}}");
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
        assertThat(field(plan, inJson).number()).isEqualTo(3);
        assertThat(plan.named("other")).isNull();
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
        assertThat(plan.named("kind")).isNull();
        assertThat(field(plan, "kept").part()).isEqualTo(-1);
    }

    @Test
    void messagesInlinedInEachOther() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a string\n2 b B\nk8s.io.p.B\n1 c C\n2 x string\nk8s.io.p.C\n7 y string",
                        "{'io.k8s.p.A':{'properties':{'a':{'type':'string'},'x':{'type':'string'},"
                                + "'y':{'type':'string'}},'required':['y']}}")
                .plan("k8s.io.p.A");
        assertThat(plan.fieldCount()).isEqualTo(3);
        assertThat(field(plan, "a").part()).isEqualTo(-1);
        assertThat(field(plan, "x").part()).isZero();
        assertThat(field(plan, "y").part()).isEqualTo(1);
        assertThat(field(plan, "y").zero()).isEqualTo(Zero.ALWAYS);
        assertThat(plan.parts().stream().map(part -> part.number() + " in " + part.part()))
                .containsExactly("2 in -1", "1 in 0");
    }

    /** Recursive inlining is rejected. */
    @Test
    void recursiveMessages() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a A\n2 b string", "{'io.k8s.p.A':{'properties':{'c':{'type':'string'}}}}")
                .plan("k8s.io.p.A");
        assertThat(plan.size()).isZero();
    }

    @Test
    void cyclicMessages() throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a A", "{'io.k8s.p.A':{'properties':{'a':{'$ref':'#/definitions/io.k8s.p.A'}}}}")
                .plan("k8s.io.p.A");
        assertThat(field(plan, "a").plan()).isSameAs(plan);
    }

    @ParameterizedTest
    @CsvSource({"'', '', OMITTED", "'', a, ALWAYS", "a, '', SHOWN", "a, a, SHOWN", "b, b, OMITTED"})
    void zeros(String counts, String required, Zero zero) throws IOException {
        MessagePlan plan = plans(
                        "k8s.io.p.A\n1 a string",
                        "k8s.io.p.A " + counts,
                        "{'io.k8s.p.A':{'properties':{'a':{'type':'string'}},'required':['" + required + "']}}",
                        "{}")
                .plan("k8s.io.p.A");
        assertThat(field(plan, "a").zero()).isEqualTo(zero);
    }

    /** A version without schemas of its own follows another's, except where it has one, and is served under its own names. */
    @Test
    void versionsModelledOnOthers() throws IOException {
        Plans plans = plans(
                "k8s.io.p.v1.A\n1 b B\nk8s.io.p.v1.B\n1 x string\nk8s.io.p.v2.A\n4 b B\nk8s.io.p.v2.B\n5 y string",
                "k8s.io.p.v1.A b",
                "{'io.k8s.p.v1.A':{'properties':{'b':{'$ref':'#/definitions/io.k8s.p.v1.B'}},"
                        + "'x-kubernetes-group-version-kind':[{'group':'p','version':'v1','kind':'A'}]},"
                        + "'io.k8s.p.v1.B':{'properties':{'x':{'type':'string'}}}}",
                "{'packages':{'k8s.io.p.v2':{'like':'k8s.io.p.v1','servedAs':['p/v2','q/v2']}},"
                        + "'definitions':{'io.k8s.p.v2.B':{'properties':{'y':{'type':'string'},'z':{'type':'string'}}}},'fields':{'k8s.io.p.v2.B':['9"
                        + " z string']}}");
        assertThat(plans.ofTypes().types())
                .containsExactlyInAnyOrder(
                        new TypeMeta("p/v1", "A"), new TypeMeta("p/v2", "A"), new TypeMeta("q/v2", "A"));
        MessagePlan plan = plans.ofTypes().plan(new TypeMeta("q/v2", "A")).orElseThrow();
        FieldPlan field = field(plan, "b");
        assertThat(field.number()).isEqualTo(4);
        assertThat(field.zero()).isEqualTo(Zero.SHOWN);
        assertThat(field(field.plan(), "y").number()).isEqualTo(5);
        assertThat(field(field.plan(), "z").number()).isEqualTo(9);
    }

    @Test
    void kindsWithoutAMessageHaveNoPlan() throws IOException {
        Plans plans = plans(
                "",
                "{'io.k8s.p.A':{'properties':{},'x-kubernetes-group-version-kind':"
                        + "[{'group':'','version':'v1','kind':'A'}]}}");
        assertThat(plans.ofTypes().plan(new TypeMeta("v1", "A"))).isEmpty();
        assertThat(plans.ofTypes().types()).isEmpty();
    }
}
