/** {@code plat test}: tests of policies, their coverage, and changes that they would not detect. */
@NullMarked
package io.plat.cli.policytest;

import org.jspecify.annotations.NullMarked;
