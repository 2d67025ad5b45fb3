package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can't be meant is refused with status 2, names what is wrong and writes nothing that could be read as an answer. */
final class WrongCommandLinesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            can-i                                                    | Missing required
            can-i get                                                | Missing required
            can-i get pods extra                                     | extra
            can-i get pods --nonsense                                | --nonsense
            can-i get pods -o xml                                    | xml
            can-i get pods -A -n team-a                              | --all-namespaces
            can-i get pods --as-group g                              | --as-group
            can-i get pods --exact-groups                            | --exact-groups
            can-i get pods// -n x                                    | pods//
            can-i get /version --subresource log                     | --subresource
            can-i get pods --authorization-rbac-path conf            | --as
            nonsense                                                 | nonsense
            """)
    void aWrongCommandLineIsStatusTwo(String arguments, String expected) {
        Typed refused = Typed.plat(arguments.split(" "));

        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains(expected).doesNotContain("\tat ");
    }
}
