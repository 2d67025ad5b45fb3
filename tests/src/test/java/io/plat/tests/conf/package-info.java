/** The samples that users start from: every one is loaded, and says what its README says. */
@NullMarked
package io.plat.tests.conf;

import org.jspecify.annotations.NullMarked;
