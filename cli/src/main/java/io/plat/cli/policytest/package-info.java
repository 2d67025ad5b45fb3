/** {@code plat test}: tests of policies, what of a policy they cover, and what they would not notice. */
@NullMarked
package io.plat.cli.policytest;

import org.jspecify.annotations.NullMarked;
