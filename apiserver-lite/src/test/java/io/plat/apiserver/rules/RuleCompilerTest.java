package io.plat.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rule language: rows, conditions and paths, each on a small object. In rows, {@code /} ends a line, {@code >} indents one, and {@code
 * !} is {@code |}.
 */
class RuleCompilerTest {
    private static final JsonMapper MAPPER = new JsonMapper(JsonFactories.create());

    private static Check compile(String rows) {
        String text = rows.replace(" / ", "\n").replace("> ", "  ");
        return new RuleCompiler(Map.of()).rows(RuleText.read(text));
    }

    private static JsonNode tree(String text) throws IOException {
        return MAPPER.readTree(text.replace('\'', '"'));
    }

    private static String found(String rows, JsonNode object, @Nullable JsonNode before) {
        var causes = new Causes();
        Field field = Field.of(object, before, causes);
        compile(rows).check(field, FieldPosition.of(field, "type"));
        return causes.list().stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .collect(Collectors.joining("; "));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        a required | {'a':'x'} | ^^
        a required | {} | a: Required value
        a required: must be there | {} | a: Required value: must be there
        a, b required | {} | a: Required value; b: Required value
        a.b? required | {} | ^^
        a[].b required | {'a':[{},{'b':1},{}]} | a[0].b: Required value; a[2].b: Required value
        a[<1].b required | {'a':[{},{}]} | a[0].b: Required value
        a[*] in x | {'a':['y']} | a: Unsupported value: "y": supported values: "x"
        a{} min 1 | {'a':{'k':0}} | a[k]: Invalid value: 0: must be greater than or equal to 1
        a[k.l] required | {} | a[k.l]: Required value
        a as c.d required | {} | c.d: Required value
        a[] unique | {'a':['x','y','x']} | a[2]: Duplicate value: "x"
        a[] unique: again | {'a':['x','x']} | a[1]: Invalid value: "x": again
        a[] / > b[] unique | {'a':[{'b':['x']},{'b':['x']}]} | ^^
        a[] / > b[] unique within type | {'a':[{'b':['x']},{'b':['x']}]} | a[1].b[0]: Duplicate value: "x"
        a[] among type:b[].n | {'a':['x','y'],'b':[{'n':'x'}]} | a[1]: Not found: "y"
        a required / > b required | {} | a: Required value
        a required / > b required | {'a':{'c':1}} | a.b: Required value
        a required / else b required | {} | a: Required value
        a required / else b required | {'a':'x'} | b: Required value
        a? label / else b required | {'b':'x'} | ^^
        a? label / else b required | {} | b: Required value
        a? label / else b required | {'a':'-'} | a: Invalid value: "-": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
        a, b max 1: small | {'b':2} | b: Invalid value: 2: small
        if a = x / > b required / else if a = y / > c required / else / > d required | {'a':'x'} | b: Required value
        if a = x / > b required / else if a = y / > c required / else / > d required | {'a':'y'} | c: Required value
        if a = x / > b required / else if a = y / > c required / else / > d required | {} | d: Required value
        b required if not has a or a in "" z and empty c | {} | b: Required value
        b required if not has a or a in "" z and empty c | {'a':'y'} | ^^
        a report invalid: not ${b}, ${type:c} | {'a':'x','b':'y','c':'z'} | a: Invalid value: "x": not y, z
        a report invalid "q r": no | {} | a: Invalid value: "q r": no
        a report value: no | {'a':{'b':1}} | a: Invalid value: {"b":1}: no
        a label? | {} | ^^
        a label! | {} | a: Required value
        . union a b: none ! several | {} | : Required value: none
        . union a b: none ! several | {'a':1,'b':1} | b: Forbidden: several
        . discriminated t A=a B=b: missing ! other | {'t':'A','b':1} | a: Required value: missing; b: Forbidden: other
        . only a b?: extra | {'a':1,'b':{},'c':1} | c: Forbidden: extra
        """)
    void rowsReportProblems(String rows, String object, String problems) throws IOException {
        assertThat(found(rows.replace(" ! ", " | "), tree(object), null)).isEqualTo(problems);
    }

    @ParameterizedTest(name = "{0} from {1} to {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
        a immutable | {'a':1} | {'a':2} | a: Invalid value: 2: field is immutable
        a immutable | {} | {'a':2} | ^^
        a fixed: no | {} | {'a':2} | a: Invalid value: 2: no
        a fixed except b c[].d: no | {'a':{'b':1,'c':[{'d':1}]}} | {'a':{'b':2,'c':[{'d':2}]}} | ^^
        a fixed except b: no | {'a':{'b':1,'c':1}} | {'a':{'b':2,'c':2}} | a: Forbidden: no
        b required if changed a and old:a = x | {'a':'x'} | {} | b: Required value
        b required if new | {} | {} | ^^
        """)
    void rowsCompareWithTheOldObject(String rows, String before, String now, String problems) throws IOException {
        assertThat(found(rows, tree(now), tree(before))).isEqualTo(problems);
    }

    @ParameterizedTest(name = "{0} fills {1}")
    @CsvSource(delimiter = '|', textBlock = """
        a.b default 1 | {} | {'a':{'b':1}}
        a.b default 1 | {'a':{'b':2}} | {'a':{'b':2}}
        a set ${b} | {'a':1,'b':[2]} | {'a':[2],'b':[2]}
        a set ${b} | {'a':1} | {'a':1}
        a defaults ${b} | {'a':{'x':1},'b':{'x':2,'y':3}} | {'a':{'x':1,'y':3},'b':{'x':2,'y':3}}
        a[] / > b default [1,{'c':true}] if has d | {'a':[{'d':1},{}]} | {'a':[{'d':1,'b':[1,{'c':true}]},{}]}
        """)
    void rowsSetDefaults(String rows, String object, String filled) throws IOException {
        JsonNode tree = tree(object);
        assertThat(found(rows.replace('\'', '"'), tree, null)).isEmpty();
        assertThat(tree).isEqualTo(tree(filled));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a flies", "a Unknown", "a min x", "a required if b flies c", "a matches ("})
    void malformedRowsAreReported(String row) {
        assertThatIllegalArgumentException().isThrownBy(() -> compile(row)).withMessageContaining(row);
    }

    @Test
    void everyRulesFileCompiles() {
        Rules.load();
    }
}
