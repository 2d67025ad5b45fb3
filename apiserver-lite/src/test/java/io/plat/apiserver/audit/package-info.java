/** Tests of audit. */
@NullMarked
package io.plat.apiserver.audit;

import org.jspecify.annotations.NullMarked;
