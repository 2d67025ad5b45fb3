package io.plat.apiserver.custom.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.Defaulting;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.text.TextFormats;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas are written with single quotes here. */
class SchemaTest {
    private static final JsonMapper MAPPER = new JsonMapper();

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the schema of an object with a field {@code f} of this schema. */
    private static TypeSchema field(String schema) {
        return TypeSchema.of(json("{'type':'object','properties':{'f':" + schema + "}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'string'}                                                   | {'f':'x','g':1}         |"
                        + " {'f':'x'}         | g",
                "{'type':'object','properties':{'a':{'type':'string'}}}              | {'f':{'a':'x','b':1}}   |"
                        + " {'f':{'a':'x'}}   | f.b",
                "{'type':'object','additionalProperties':{'type':'string'}}          | {'f':{'a':'x'}}         |"
                        + " {'f':{'a':'x'}}   |",
                "{'type':'object','x-kubernetes-preserve-unknown-fields':true}       | {'f':{'a':{'b':[{}]}}}  |"
                        + " {'f':{'a':{'b':[{}]}}} |",
                "{'type':'object','x-kubernetes-preserve-unknown-fields':true,'properties':{'a':{'type':'object'}}} |"
                        + " {'f':{'a':{'b':1},'c':1}} | {'f':{'a':{},'c':1}} | f.a.b",
                "{'x-kubernetes-preserve-unknown-fields':true}                       | {'f':[{'a':1}]}         |"
                        + " {'f':[{'a':1}]}   |",
                "{'type':'array','items':{'type':'object'}}                          | {'f':[{'a':1},{}]}      |"
                        + " {'f':[{},{}]}     | f[0].a",
                "{'type':'object','x-kubernetes-embedded-resource':true,'properties':{'spec':{'type':'object'}}} |"
                        + " {'f':{'kind':'K','metadata':{'name':'n'},'x':1}} | {'f':{'kind':'K','metadata':{'name':'n'}}}"
                        + " | f.x",
            })
    void unknownFieldsArePruned(String schema, String object, String pruned, String unknown) {
        ObjectNode sent = (ObjectNode) json(object);
        List<String> unknownFields = Pruning.prune(field(schema), sent);
        assertThat(sent).isEqualTo(json(pruned));
        assertThat(String.join(",", unknownFields)).isEqualTo(unknown == null ? "" : unknown);
    }

    @Test
    void objectMetaIsPreserved() {
        ObjectNode object = (ObjectNode) json("{'kind':'K','apiVersion':'v','metadata':{'name':'n'},'x':1}");
        assertThat(Pruning.prune(TypeSchema.of(json("{'type':'object'}")), object))
                .containsExactly("x");
        assertThat(object).isEqualTo(json("{'kind':'K','apiVersion':'v','metadata':{'name':'n'}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'integer','default':3}                 | {}             | {'f':3}",
                "{'type':'integer','default':3}                 | {'f':null}     | {'f':3}",
                "{'type':'integer','default':3,'nullable':true} | {'f':null}     | {'f':null}",
                "{'type':'integer','default':3}                 | {'f':0}        | {'f':0}",
                "{'type':'string','default':''}                 | {}             | {'f':''}",
                "{'type':'object','default':{},'properties':{'a':{'type':'string','default':'x'}}} | {} |"
                        + " {'f':{'a':'x'}}",
                "{'type':'object','properties':{'a':{'type':'string','default':'x'}}} | {}            | {}",
                "{'type':'object','properties':{'a':{'type':'string','default':'x'}}} | {'f':{}}      |"
                        + " {'f':{'a':'x'}}",
                "{'type':'array','items':{'type':'object','properties':{'a':{'type':'integer','default':1}}}} |"
                        + " {'f':[{},{'a':2}]} | {'f':[{'a':1},{'a':2}]}",
                "{'type':'object','additionalProperties':{'type':'object','properties':{'a':{'type':'integer','default':1}}}}"
                        + " | {'f':{'k':{}}} | {'f':{'k':{'a':1}}}",
            })
    void missingFieldsAreDefaulted(String schema, String object, String completed) {
        JsonNode sent = json(object);
        assertThat(Defaulting.any(field(schema))).isTrue();
        Defaulting.apply(field(schema), sent);
        assertThat(sent).isEqualTo(json(completed));
    }

    @Test
    void defaultIsCopiedForEveryObject() {
        TypeSchema schema = field("{'type':'array','items':{'type':'integer'},'default':[1]}");
        ObjectNode one = (ObjectNode) json("{}");
        Defaulting.apply(schema, one);
        one.withArray("f").add(2);
        ObjectNode other = (ObjectNode) json("{}");
        Defaulting.apply(schema, other);
        assertThat(other).isEqualTo(json("{'f':[1]}"));
    }

    /** An empty message means a valid value. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'string'}                              | 'x'      |",
                "{'type':'string'}                              | 1        | f: Invalid value: 'integer': f in body"
                        + " must be of type string: 'integer'",
                "{'type':'string'}                              | null     | f: Invalid value: 'null': f in body must"
                        + " be of type string: 'null'",
                "{'type':'string','nullable':true}              | null     |",
                "{'type':'integer'}                             | 1.0      |",
                "{'type':'integer'}                             | 1.5      | f: Invalid value: 'number': f in body"
                        + " must be of type integer: 'number'",
                "{'type':'number'}                              | 1        |",
                "{'type':'boolean'}                             | 'x'      | f: Invalid value: 'string': f in body"
                        + " must be of type boolean: 'string'",
                "{'x-kubernetes-int-or-string':true}            | 1        |",
                "{'x-kubernetes-int-or-string':true}            | '1'      |",
                "{'x-kubernetes-int-or-string':true}            | true     | f: Invalid value: 'boolean': f in body"
                        + " must be of type integer,string: 'boolean'",
                "{'type':'integer','minimum':1}                 | 0        | f: Invalid value: 0: f in body should be"
                        + " greater than or equal to 1",
                "{'type':'integer','minimum':1,'exclusiveMinimum':true} | 1 | f: Invalid value: 1: f in body should be"
                        + " greater than 1",
                "{'type':'number','maximum':2.5}                | 3        | f: Invalid value: 3: f in body should be"
                        + " less than or equal to 2.5",
                "{'type':'integer','maximum':2,'exclusiveMaximum':true} | 2 | f: Invalid value: 2: f in body should be"
                        + " less than 2",
                "{'type':'integer','multipleOf':5}              | 7        | f: Invalid value: 7: f in body should be"
                        + " a multiple of 5",
                "{'type':'string','pattern':'^a+$'}             | 'b'      | f: Invalid value: 'b': f in body should"
                        + " match '^a+$'",
                "{'type':'string','maxLength':2}                | 'abc'    | f: Too long: may not be more than 2 bytes",
                "{'type':'string','minLength':2}                | 'a'      | f: Invalid value: 'a': f in body should"
                        + " be at least 2 chars long",
                "{'type':'string','enum':['a','b']}             | 'c'      | f: Unsupported value: 'c': supported"
                        + " values: 'a', 'b'",
                "{'type':'integer','enum':[1,2]}                | 1.0      |",
                "{'type':'array','maxItems':1,'items':{'type':'integer'}} | [1,2] | f: Too many: 2: must have at most"
                        + " 1 item",
                "{'type':'array','minItems':1,'items':{'type':'integer'}} | []  | f: Invalid value: 0: f in body"
                        + " should have at least 1 items",
                "{'type':'array','items':{'type':'integer'}}    | ['x']    | f[0]: Invalid value: 'string': f[0] in"
                        + " body must be of type integer: 'string'",
                "{'type':'object','required':['a'],'properties':{'a':{'type':'string'}}} | {} | f.a: Required value",
                "{'type':'integer','format':'int32'}            | 2147483648 | <nil>: Invalid value: '': Checked value must"
                        + " be of type integer with format int32 in f",
                "{'type':'string','nullable':true,'enum':['a']} | null | f: Unsupported value: null: supported values: 'a'",
                "{'type':'string','maxLength':1,'pattern':'^b'} | 'ab' | f: Too long: may not be more than 1 byte",
                "{'anyOf':[{'properties':{'a':{'minimum':3}}},{'properties':{'a':{'minimum':3},'b':{'minimum':3}}}]} |"
                        + " {'a':1,'b':1} | <nil>: Invalid value: '': 'f' must validate at least one schema (anyOf); f.a:"
                        + " Invalid value: 1: f.a in body should be greater than or equal to 3; f.b: Invalid value: 1: f.b"
                        + " in body should be greater than or equal to 3",
                "{'type':'object','maxProperties':1,'additionalProperties':{'type':'integer'}} | {'a':1,'b':2} | f:"
                        + " Too many: 2: must have at most 1 item",
                "{'type':'object','additionalProperties':{'type':'integer'}} | {'a':'x'} | f.a: Invalid value:"
                        + " 'string': f.a in body must be of type integer: 'string'",
                "{'type':'string','format':'date-time'}         | 'x'      | f: Invalid value: 'x': f in body must be"
                        + " of type date-time: 'x'",
                "{'type':'string','format':'unheard-of'}        | 'x'      |",
                "{'type':'object','oneOf':[{'required':['a']},{'required':['b']}]} | {'a':1} |",
                "{'type':'object','oneOf':[{'required':['a']},{'required':['b']}]} | {} | <nil>: Invalid value: '': 'f'"
                        + " must validate one and only one schema (oneOf). Found none valid; f.a: Required value",
                "{'type':'object','oneOf':[{'required':['a']},{'required':['b']}]} | {'a':1,'b':1} | <nil>: Invalid value:"
                        + " '': 'f' must validate one and only one schema (oneOf). Found 2 valid alternatives",
                "{'type':'object','anyOf':[{'required':['a']}]} | {}       | <nil>: Invalid value: '': 'f' must validate"
                        + " at least one schema (anyOf); f.a: Required value",
                "{'type':'object','not':{'required':['a']}}     | {'a':1}  | <nil>: Invalid value: '': 'f' must not"
                        + " validate the schema (not)",
                "{'type':'integer','allOf':[{'minimum':2}]}     | 1        | f: Invalid value: 1: f in body should be"
                        + " greater than or equal to 2; <nil>: Invalid value: '': 'f' must validate all the schemas"
                        + " (allOf). None validated",
                "{'type':'integer','allOf':[{'minimum':2},{'minimum':0}]} | 1 | f: Invalid value: 1: f in body should be"
                        + " greater than or equal to 2; <nil>: Invalid value: '': 'f' must validate all the schemas"
                        + " (allOf)",
                "{'type':'string','enum':['a'],'oneOf':[{'minLength':1},{'maxLength':9}]} | 1 | f: Invalid value:"
                        + " 'integer': f in body must be of type string: 'integer'; <nil>: Invalid value: '': 'f' must"
                        + " validate one and only one schema (oneOf). Found 2 valid alternatives; f: Unsupported value:"
                        + " 1: supported values: 'a'",
            })
    void valuesAreValidatedByTheirSchema(String schema, String value, String expected) {
        var causes = new Causes();
        ValueCheck.check(field(schema), json("{'f':" + value + "}"), FieldPath.ROOT, causes);
        assertThat(messages(causes))
                .isEqualTo(
                        expected == null ? "" : expected.replace('\'', '"').replace("match \"^a+$\"", "match '^a+$'"));
    }

    private static String messages(Causes causes) {
        return String.join(
                "; ",
                causes.list().stream()
                        .map(cause -> cause.field() + ": " + cause.message())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'apiVersion':'apps/v1','kind':'Deployment'}   |",
                "{'kind':''}                                    | f.apiVersion: Required value; f.kind: Invalid value: '':"
                        + " must not be empty",
                "{'apiVersion':'a/b/c','kind':1}                | f.apiVersion: Invalid value: 'a/b/c': unexpected"
                        + " GroupVersion string: a/b/c; f.kind: Invalid value: 1: must be a string",
            })
    void embeddedObjectsStateTheirType(String value, String expected) {
        var causes = new Causes();
        IdentityCheck.embedded(
                field("{'type':'object','x-kubernetes-embedded-resource':true}"),
                json("{'f':" + value + "}"),
                FieldPath.ROOT,
                causes);
        assertThat(messages(causes)).isEqualTo(expected == null ? "" : expected.replace('\'', '"'));
    }

    @Test
    void combinationsOfAlternativesAreBounded() {
        var schema = new StringBuilder("{'type':'string','pattern':'^(a+)+$'}");
        for (int i = 0; i < 22; i++) {
            schema.insert(0, "{'anyOf':[").append("," + "{'type':'boolean'}]}");
        }
        var causes = new Causes();
        ValueCheck.check(
                TypeSchema.of(json(schema.toString())), json("'" + "a".repeat(10_000) + "b'"), FieldPath.ROOT, causes);
        assertThat(causes.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "set | ''    | [1,2,1]                       | f[2]: Duplicate value: 1",
                "set | ''    | [1,2]                         |",
                "set | ''    | [{'a':1},{'a':1}]             | f[1]: Duplicate value: {'a':1}",
                "map | 'n'   | [{'n':'a'},{'n':'b'}]         |",
                "map | 'n'   | [{'n':'a'},{'n':'a','x':1}]   | f[1]: Duplicate value: {'n':'a'}",
                "map | 'n','p' | [{'n':'a','p':1},{'n':'a','p':2},{'n':'a','p':1}] | f[2]: Duplicate value:"
                        + " {'n':'a','p':1}",
                "map | 'n'   | [{},{}]                       | f[1]: Duplicate value: {}",
                "map | 'n'   | [1]                           | f[0]: Invalid value: 1: must be an object for an array"
                        + " of list-type map",
                "atomic | '' | [1,1]                         |",
            })
    void setsAndMapsRejectDuplicates(String listType, String keys, String value, String expected) {
        TypeSchema schema = field("{'type':'array','x-kubernetes-list-type':'" + listType
                + "','x-kubernetes-list-map-keys':[" + keys.replace("''", "") + "],'items':{}}");
        var causes = new Causes();
        IdentityCheck.lists(schema, json("{'f':" + value + "}"), FieldPath.ROOT, causes);
        assertThat(messages(causes)).isEqualTo(expected == null ? "" : expected.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "date-time | 2024-01-01T00:00:00Z      | true",
                "date-time | 2024-01-01T00:00:00+02:00 | true",
                "date-time | 2024-01-01                | false",
                "date      | 2024-02-29                | true",
                "date      | 2023-02-29                | false",
                "isbn13    | 978-0306406157            | true",
                "isbn      | 0306406153                | false",
                "rgbcolor  | rgb(1,2,300)              | false",
                "creditcard | 4111 1111 1111 1111      | true",
                "k8s-short-name | Abc                  | false",
                "duration  | 22 nanos                  | true",
                "byte      | abc                       | false",
                "duration  | 1h30m                     | true",
                "duration  | 90                        | false",
                "ipv4      | 10.0.0.1                  | true",
                "ipv4      | 10.0.0.256                | false",
                "ipv6      | ::1                       | true",
                "ipv6      | 10.0.0.1                  | false",
                "ipv6      | x::1                      | false",
                "cidr      | 10.0.0.0/8                | true",
                "cidr      | 10.0.0.0/33               | false",
                "cidr      | fe80::/64                 | true",
                "mac       | 00:11:22:33:44:55         | true",
                "mac       | 00:11                     | false",
                "uuid      | 123e4567-e89b-12d3-a456-426614174000 | true",
                "uuid4     | 123e4567-e89b-12d3-a456-426614174000 | false",
                "byte      | aGVsbG8=                  | true",
                "byte      | %                         | false",
                "uri       | https://example.com/x     | true",
                "uri       | example                   | false",
                "email     | a@example.com             | true",
                "email     | a                         | false",
                "hostname  | a.example.com             | true",
                "hostname  | a_b                       | false",
                "password  | anything                  | true",
            })
    void stringFormatsAreValidated(String format, String text, boolean holds) {
        assertThat(TextFormats.holds(format, text)).isEqualTo(holds);
    }

    /** Returns the problems of a schema by path; empty for a valid one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'object','properties':{'a':{'type':'string'}}}          |",
                "{'properties':{}}                                               | s.type",
                "{'type':'array','items':{'type':'string'}}                      | s.type",
                "{'type':'object','additionalProperties':{'type':'string'}}      | s.additionalProperties",
                "{'type':'object','properties':{'a':{}}}                         | s.properties[a].type",
                "{'type':'object','properties':{'a':{'type':'text'}}}            | s.properties[a].type",
                "{'type':'object','properties':{'a':{'type':'array'}}}           | s.properties[a].items",
                "{'type':'object','properties':{'a':{'$ref':'#/x','type':'object'}}} | s.properties[a].$ref",
                "{'type':'object','properties':{'a':{'type':'string','pattern':'('}}} | s.properties[a].pattern",
                "{'type':'object','properties':{'a':{'type':'array','uniqueItems':true,'items':{'type':'string'}}}} |"
                        + " s.properties[a].uniqueItems",
                "{'type':'object','properties':{'metadata':{'type':'object','properties':{'name':{'type':'string'}}}}}"
                        + " |",
                "{'type':'object','properties':{'metadata':{'type':'object','properties':{'labels':{'type':'object'}}}}}"
                        + " | s.properties[metadata]",
                "{'type':'object','properties':{'a':{'type':'string','x-kubernetes-list-type':'set'}}} |"
                        + " s.properties[a].type",
                "{'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],'items':{'type':'object','properties':{'n':{'type':'string'}}}}}}"
                        + " | s.properties[a].items.properties[n].default",
                "{'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['n'],'items':{'type':'object','required':['n'],'properties':{'n':{'type':'string'}}}}}}"
                        + " |",
                "{'type':'object','properties':{'a':{'type':'object','x-kubernetes-map-type':'x'}}} |"
                        + " s.properties[a].x-kubernetes-map-type",
                "{'type':'object','properties':{'a':{'type':'object','x-kubernetes-embedded-resource':true}}} |"
                        + " s.properties[a].properties",
                "{'type':'object','properties':{'a':{'type':'integer','anyOf':[{'type':'integer'}]}}} |"
                        + " s.properties[a].anyOf[0].type",
                "{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]}}}"
                        + " |",
                // As in Kubernetes: junctors must be complete at the root only.
                "{'type':'object','properties':{'a':{'type':'object','oneOf':[{'properties':{'b':{'minimum':1}}}]}}} |",
                "{'type':'object','oneOf':[{'properties':{'b':{'minimum':1}}}]} | s.properties[b]",
                "{'type':'object','properties':{'a':{'type':'string','id':'x'}}} | s.properties[a].id",
                "{'type':'object','properties':{'a':{'type':'object','x-kubernetes-validations':[{'rule':'true','fieldPath':'.b'}]}}} |"
                        + " s.properties[a].x-kubernetes-validations[0].fieldPath",
                "{'type':'object','properties':{'a':{'type':'string','x-kubernetes-validations':[{'rule':''}]}}} |"
                        + " s.properties[a].x-kubernetes-validations[0].rule",
            })
    void onlyStructuralSchemasAreAccepted(String schema, String where) {
        var causes = new Causes();
        StructuralCheck.structure(json(schema), FieldPath.of("s"), causes);
        new StructuralCheck(causes).keywords(json(schema), FieldPath.of("s"));
        assertThat(String.join(
                        ",", causes.list().stream().map(cause -> cause.field()).toList()))
                .isEqualTo(where == null ? "" : where);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'type':'integer','default':1}                                   | true",
                "{'type':'integer','default':'x'}                                 | false",
                "{'type':'integer','minimum':2,'default':1}                       | false",
                "{'type':'object','default':{'b':1}}                              | false",
                // As in Kubernetes: a default is checked without those below it, and not for duplicates.
                "{'type':'object','default':{},'required':['a'],'properties':{'a':{'type':'string','default':'x'}}} |"
                        + " false",
                "{'type':'array','items':{'type':'integer'},'x-kubernetes-list-type':'set','default':[1,1]} | true",
                "{'type':'integer','default':1,'x-kubernetes-validations':[{'rule':'self > 1'}]}           | false",
                "{'type':'integer','default':2,'x-kubernetes-validations':[{'rule':'self > 1'}]}           | true",
            })
    void defaultsMustMatchTheirSchema(String schema, boolean taken) {
        var causes = new Causes();
        TypeSchema whole = field(schema);
        Pruning.check(whole, FieldPath.of("s"), ValidationRules.compile(whole), causes);
        assertThat(causes.isEmpty()).as(messages(causes)).isEqualTo(taken);
    }
}
