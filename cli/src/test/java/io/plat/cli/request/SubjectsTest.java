package io.plat.cli.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectsTest {
    @ParameterizedTest(name = "{0} with [{1}], exact {2}")
    @CsvSource(delimiter = '|', textBlock = """
            alice                                | ''                   | false | system:authenticated
            alice                                | dev ops              | false | dev ops system:authenticated
            alice                                | dev ops              | true  | dev ops
            alice                                | system:authenticated | false | system:authenticated
            system:serviceaccount:ci:deployer    | ''                   | false | system:serviceaccounts system:serviceaccounts:ci system:authenticated
            system:serviceaccount:ci:deployer    | x                    | true  | x
            system:serviceaccount:ci             | ''                   | false | system:authenticated
            system:serviceaccount:a:b:c          | ''                   | false | system:authenticated
            system:anonymous                     | ''                   | false | system:unauthenticated
            """)
    void hasImplicitGroups(String user, String groups, boolean exact, String expected) {
        assertThat(Subjects.user(user, words(groups), exact).groups()).isEqualTo(words(expected));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }
}
