package io.plat.apiserver.custom.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CompileBudget;
import java.io.UncheckedIOException;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects are written with single quotes here. */
class ValidationRulesTest {
    private static final JsonMapper MAPPER = new JsonMapper();

    /** The schema of {@code spec} in all cases, without its rules. */
    private static final String SPEC = "{'type':'object','properties':{"
            + "'replicas':{'type':'integer'},'most':{'type':'integer'},'name':{'type':'string','maxLength':63},'ratio':{'type':'number'},"
            + "'since':{'type':'string','format':'date-time'},'wait':{'type':'string','format':'duration'},"
            + "'namespace':{'type':'string'},'a-b':{'type':'string'},'either':{'x-kubernetes-int-or-string':true},"
            + "'tags':{'type':'array','maxItems':700,'items':{'type':'string','maxLength':4}},"
            + "'labels':{'type':'object','additionalProperties':{'type':'string'}},"
            + "'any':{'type':'object','x-kubernetes-preserve-unknown-fields':true},"
            + "'ports':{'type':'array','maxItems':50,'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['name'],"
            + "'items':{'type':'object','properties':{'name':{'type':'string'},'port':{'type':'integer'}}}}}}";

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TypeSchema schema(String rule, String at) {
        ObjectNode whole = (ObjectNode) json("{'type':'object','properties':{'spec':" + SPEC + "}}");
        ObjectNode place = at.isEmpty() ? whole : (ObjectNode) whole.at(at);
        ArrayNode rules = place.putArray("x-kubernetes-validations");
        rules.add(rule.startsWith("{") ? json(rule) : MAPPER.createObjectNode().put("rule", rule));
        return TypeSchema.of(whole);
    }

    private static String spec(String spec) {
        return "{'kind':'K','apiVersion':'g/v1','metadata':{'name':'n'},'spec':" + spec + "}";
    }

    private static Causes check(TypeSchema schema, String object, String before) {
        var causes = new Causes();
        ValidationRules rules =
                ValidationRules.compile(schema, FieldPath.of("schema"), CompileBudget.ofObject(), causes);
        assertThat(causes.list()).isEmpty();
        rules.check(json(object), before.isEmpty() ? null : json(before), causes);
        // Stored rules have the same effect, without a compilation budget.
        var stored = new Causes();
        ValidationRules.compile(schema).check(json(object), before.isEmpty() ? null : json(before), stored);
        assertThat(stored.list()).isEqualTo(causes.list());
        return causes;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "self.replicas <= self.most                          | {'replicas':1,'most':2}      | true",
                "self.replicas <= self.most                          | {'replicas':3,'most':2}      | false",
                "has(self.name)                                      | {}                           | false",
                "has(self.name) ? self.name.startsWith('a') : true     | {'name':'abc'}               | true",
                "self.ratio > 0.5                                    | {'ratio':1}                  | true",
                "self.tags.all(t, t.size() < 3)                      | {'tags':['a','bbb']}         | false",
                "self.tags.exists_one(t, t == 'a')                   | {'tags':['a','b']}           | true",
                "self.tags.isSorted()                                | {'tags':['b','a']}           | false",
                "self.tags.indexOf('b') == 1                         | {'tags':['a','b']}           | true",
                "[1, 2, 3].sum() == 6 && [3, 1].min() == 1 && [3, 1].max() == 3 | {}                | true",
                "self.labels.all(k, k != 'x')                        | {'labels':{'x':'1'}}         | false",
                "self.labels['a'] == '1'                             | {'labels':{'a':'1'}}         | true",
                "self.__namespace__ == 'x' && self.a__dash__b == 'y' | {'namespace':'x','a-b':'y'}  | true",
                "self.name.matches('^a+$')                           | {'name':'aaa'}               | true",
                "self.name.find('[0-9]+') == '12'                    | {'name':'a12b3'}             | true",
                "self.name.findAll('[0-9]+') == ['12', '3']          | {'name':'a12b3'}             | true",
                "self.since < timestamp('2025-01-01T00:00:00Z')      | {'since':'2024-01-01T00:00:00Z'} | true",
                "self.wait > duration('1m')                          | {'wait':'1h30m'}             | true",
                "type(self.either) == int ? self.either == 1 : self.either == 'x' | {'either':'x'}   | true",
                "self.ports.exists(p, p.name == 'x' && p.port > 1)   | {'ports':[{'name':'x','port':2}]} | true",
                "self.name.lowerAscii() == 'abc'                     | {'name':'ABC'}               | true",
                "sets.contains(['a', 'b'], self.tags)                | {'tags':['a']}               | true",
                "self.?name.orValue('none') == 'none'                | {}                           | true",
                "quantity(self.name).isGreaterThan(quantity('1Gi'))  | {'name':'1025Mi'}            | true",
                "quantity(self.name) == quantity('500m')             | {'name':'0.5'}               | true",
                "isQuantity(self.name)                               | {'name':'5x'}                | false",
                "semver(self.name).isLessThan(semver('1.10.0')) && semver(self.name).minor() == 9 |"
                        + " {'name':'1.9.3+build'} | true",
                "isSemver(self.name)                                 | {'name':'1.9'}               | false",
                "isSemver(self.name)                                 | {'name':'1.9.0-rc.01'}       | false",
                "isSemver(self.name, true) && semver(self.name, true) == semver('1.9.0') | {'name':'v01.9'} | true",
                "semver('1.0.0-rc.2').isLessThan(semver('1.0.0-rc.10')) &&"
                        + " semver('1.0.0-rc.10').isLessThan(semver('1.0.0')) | {} | true",
                "semver('1.0.0-1').compareTo(semver('1.0.0-a')) == -1 &&"
                        + " semver('1.0.0-a.b').isGreaterThan(semver('1.0.0-a')) | {} | true",
                "self.labels.all(k, v, k == v)                       | {'labels':{'a':'a'}}         | true",
                "self.labels.exists(k, v, k == v)                    | {'labels':{'a':'b'}}         | false",
                "quantity('2').add(quantity('500m')).sub(1).compareTo(quantity('1.5')) == 0 | {}    | true",
                "quantity('2k').isInteger() && quantity('2k').asInteger() == 2000 && quantity('1m').sign() == 1 | {} |"
                        + " true",
                "isIP(self.name) && ip(self.name).family() == 6      | {'name':'fd00::1'}           | true",
                "isIP(self.name)                                     | {'name':'010.0.0.1'}         | false",
                "ip.isCanonical(self.name)                           | {'name':'2001:db8::abcd'}    | true",
                "ip.isCanonical(self.name)                           | {'name':'2001:db8:0::abcd'}  | false",
                "ip.isCanonical(self.name)                           | {'name':'FD00::1'}           | false",
                "ip.isCanonical(self.name)                           | {'name':'127.0.0.1'}         | true",
                "string(ip(self.name)) == 'fd00::1' && string(cidr('FD00::/16')) == 'fd00::/16' | {'name':'FD00:0::1'} |"
                        + " true",
                "cidr('10.0.0.0/8').containsIP(self.name)            | {'name':'10.1.2.3'}          | true",
                "cidr('10.0.0.0/8').containsIP(ip(self.name))        | {'name':'11.1.2.3'}          | false",
                "cidr('10.0.0.0/8').containsCIDR(self.name) && cidr(self.name).prefixLength() == 16 |"
                        + " {'name':'10.1.0.0/16'} | true",
                "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && ip('127.0.0.1').isLoopback() | {} | true",
                "isCIDR(self.name)                                   | {'name':'10.0.0.0/33'}       | false",
                "isURL(self.name) && url(self.name).getHostname() == 'h' && url(self.name).getPort() == '1' |"
                        + " {'name':'https://h:1/p?a=b'} | true",
                "url(self.name).getQuery()['a'] == ['b', 'c'] && url(self.name).getEscapedPath() == '/p%20q' |"
                        + " {'name':'https://h/p%20q?a=b&a=c'} | true",
                "isURL(self.name)                                    | {'name':'h:1'}               | false",
                "format.dns1123Label().validate(self.name).hasValue() | {'name':'a-b'}              | false",
                "format.dns1123Label().validate(self.name).hasValue() | {'name':'a_b'}              | true",
                "format.dns1123Label().validate('A').value()[0].startsWith('a lowercase RFC 1123 label') | {} | true",
                "!format.dns1123LabelPrefix().validate('a-').hasValue() &&"
                        + " !format.qualifiedName().validate('a/b').hasValue() | {} | true",
                "format.uuid().validate(self.name).orValue([]) == ['does not match the UUID format'] | {'name':'x'} |"
                        + " true",
                "format.date().validate('2025-02-30').hasValue() &&"
                        + " !format.datetime().validate('2025-02-03T01:02:03Z').hasValue() | {} | true",
                "format.named('labelValue').value() == format.labelValue() && !format.named('none').hasValue() | {} |"
                        + " true",
                "'%s is %d, not %.2f%%'.format([self.name, self.replicas, 0.5]) == 'a is 3, not 0.50%' |"
                        + " {'name':'a','replicas':3} | true",
                "'%s %s %s'.format([[1, 'a', 2.5], true, null]) == '[1, a, 2.5] true null' | {}  | true",
                "'%x %X %b %o %e'.format([255, 'hi', 5, 8, 1052.033]) == 'ff 6869 101 10 1.052033e+03' | {} | true",
                "'%s %s'.format([duration('1h30m'), timestamp('2023-02-03T23:31:20Z')]) == '5400s"
                        + " 2023-02-03T23:31:20Z' | {} | true",
                "'%s'.format([]) == ''                               | {}                           | false",
            })
    void rulesSeeObjectsAsTheirSchemasHaveThem(String rule, String spec, boolean holds) {
        Causes causes = check(schema(rule, "/properties/spec"), spec(spec), "");
        assertThat(causes.isEmpty()).as(causes.list().toString()).isEqualTo(holds);
    }

    /** Each of them has a low cost in Kubernetes, but would take forever or exhaust memory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[[1]]%s.size() > 0 @ .map(x, [x, x])",
                "[[1]]%s.size() > 0 @ .map(x, [x] + [x])",
                "[[1]]%s.size() > 0 @ .map(x, {'a': x, 'b': x})",
                "[{'a': 1}]%s.size() > 0 @ .map(x, {'a': 1, 'b': 2}.transformMap(k, v, x))",
            })
    void growingValuesAreChargedForTheirResult(String rule) {
        String[] parts = rule.split(" @ ", -1);
        Causes causes = check(schema(parts[0].formatted(parts[1].repeat(40)), "/properties/spec"), spec("{}"), "");
        assertThat(causes.list())
                .singleElement()
                .satisfies(cause -> assertThat(cause.message()).contains("cost limit exceeded"));
    }

    @Test
    void rootVariablesAreDeclared() {
        assertThat(check(schema("self.metadata.name == 'n' && self.kind == 'K'", ""), spec("{}"), "")
                        .isEmpty())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'rule':'self.replicas > 1'}                                    | FieldValueInvalid   | spec |"
                        + " Invalid value: failed rule: self.replicas > 1",
                "{'rule':'self.replicas > 1','message':'too few'}                | FieldValueInvalid   | spec |"
                        + " Invalid value: too few",
                "{'rule':'self.replicas > 1','messageExpression':'string(self.replicas)'} | FieldValueInvalid | spec |"
                        + " Invalid value: 1",
                "{'rule':'self.replicas > 1','reason':'FieldValueForbidden','message':'no'} | FieldValueForbidden |"
                        + " spec | Forbidden: no",
                "{'rule':'self.replicas > 1','reason':'FieldValueRequired','message':'no'}  | FieldValueRequired  |"
                        + " spec | Required value: no",
                "{'rule':'self.replicas > 1','fieldPath':'.replicas','message':'no'} | FieldValueInvalid |"
                        + " spec.replicas | Invalid value: no",
            })
    void brokenRuleIsReportedWithItsText(String rule, String reason, String field, String message) {
        assertThat(check(schema(rule, "/properties/spec"), spec("{'replicas':1}"), "")
                        .list())
                .singleElement()
                .satisfies(cause -> {
                    assertThat(cause.reason()).isEqualTo(reason);
                    assertThat(cause.field()).isEqualTo(field);
                    assertThat(cause.message()).isEqualTo(message.replace('\'', '"'));
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "self == oldSelf                                           | /properties/spec/properties/name |"
                        + " {'name':'a'} |              | true",
                "self == oldSelf                                           | /properties/spec/properties/name |"
                        + " {'name':'a'} | {'name':'a'} | true",
                "self == oldSelf                                           | /properties/spec/properties/name |"
                        + " {'name':'b'} | {'name':'a'} | false",
                "self == oldSelf                                           | /properties/spec/properties/name |"
                        + " {'name':'b'} | {}           | true",
                "{'rule':'!oldSelf.hasValue()','optionalOldSelf':true}     | /properties/spec/properties/name |"
                        + " {'name':'b'} |              | true",
                "{'rule':'!oldSelf.hasValue()','optionalOldSelf':true}     | /properties/spec/properties/name |"
                        + " {'name':'b'} | {'name':'a'} | false",
                "self.port >= oldSelf.port | /properties/spec/properties/ports/items |"
                        + " {'ports':[{'name':'b','port':1},{'name':'a','port':2}]} | {'ports':[{'name':'a','port':3}]} |"
                        + " false",
                "self.port >= oldSelf.port | /properties/spec/properties/ports/items |"
                        + " {'ports':[{'name':'b','port':1},{'name':'a','port':4}]} | {'ports':[{'name':'a','port':3}]} |"
                        + " true",
            })
    void transitionRuleSeesTheOldValue(String rule, String at, String spec, String before, boolean holds) {
        Causes causes = check(schema(rule, at), spec(spec), before == null ? "" : spec(before));
        assertThat(causes.isEmpty()).as(causes.list().toString()).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "self.unheard == 1                       | /properties/spec                  | undefined field"
                        + " 'unheard'",
                "self.replicas                           | /properties/spec                  | cel expression must evaluate to a"
                        + " bool",
                "self.replicas ==                        | /properties/spec                  | mismatched input",
                "self.replicas == 'x'                    | /properties/spec                  | found no matching"
                        + " overload",
                "self == oldSelf                         | /properties/spec/properties/tags/items | oldSelf cannot be"
                        + " used",
                // Extensions that rules in Kubernetes lack.
                "math.greatest(1, 2) == 2                | /properties/spec                  | undeclared reference",
                "base64.encode(b'a') == 'YQ=='           | /properties/spec                  | undeclared reference",
                "cel.bind(x, self.replicas, x == x)      | /properties/spec                  | undeclared reference",
                "'ab'.reverse() == 'ba'                  | /properties/spec                  | found no matching"
                        + " overload",
            })
    void invalidRuleRefusesItsDefinition(String rule, String at, String message) {
        var causes = new Causes();
        ValidationRules.compile(schema(rule, at), FieldPath.of("schema"), CompileBudget.ofObject(), causes);
        assertThat(causes.list()).singleElement().satisfies(cause -> {
            assertThat(cause.message()).contains(message);
            assertThat(cause.field()).endsWith("x-kubernetes-validations[0].rule");
        });
    }

    @Test
    void slowRuleFails() {
        String tags = "['" + String.join("','", Collections.nCopies(700, "a".repeat(1000))) + "']";
        Causes causes = check(
                schema("self.tags.all(a, self.tags.all(b, a == b))", "/properties/spec"),
                spec("{'tags':" + tags + "}"),
                "");
        assertThat(causes.list())
                .singleElement()
                .satisfies(cause -> assertThat(cause.message())
                        .endsWith("'operation cancelled: actual cost limit exceeded': no further validation"
                                + " rules will be run due to call cost exceeds limit for rule:"
                                + " self.tags.all(a, self.tags.all(b, a == b))"));
    }
}
