/** Tests of the audit policy. */
@NullMarked
package io.plat.apiserver.audit.policy;

import org.jspecify.annotations.NullMarked;
